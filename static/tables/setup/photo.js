// A photo of a tablet's camera has many megabytes; before it is sent it is made small enough to be kept.

const WIDEST = 1600;
const ENOUGH = 400_000;

async function small(file) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, WIDEST / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.82));
  return new File([blob], "photo.jpg", { type: "image/jpeg" });
}

document.addEventListener("change", async ({ target }) => {
  const file = target.type === "file" ? target.files[0] : null;
  if (!file || file.size <= ENOUGH) return;
  const keys = target.form.querySelectorAll("button");
  keys.forEach((key) => (key.disabled = true));
  try {
    const kept = new DataTransfer();
    kept.items.add(await small(file));
    target.files = kept.files;
  } catch {
    // Not a picture: the server says so in a sentence.
  }
  keys.forEach((key) => (key.disabled = false));
});
