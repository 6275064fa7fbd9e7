// A form that a passkey answers: the server says what to ask, the browser asks the key, the form carries the answer.
const plain = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
const spoken = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const named = (keys) => (keys ?? []).map((key) => ({ ...key, id: plain(key.id) }));

function opened(options) {
  const user = options.user && { ...options.user, id: plain(options.user.id) };
  return {
    ...options, challenge: plain(options.challenge), ...(user && { user }),
    ...(options.excludeCredentials && { excludeCredentials: named(options.excludeCredentials) }),
    ...(options.allowCredentials && { allowCredentials: named(options.allowCredentials) }),
  };
}

function told(credential) {
  const { response } = credential;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const said = parts.filter((part) => response[part]).map((part) => [part, spoken(response[part])]);
  return JSON.stringify({
    id: credential.id, rawId: spoken(credential.rawId), type: credential.type, clientExtensionResults: {},
    response: Object.fromEntries(said),
  });
}

function say(form, why) {
  const place = form.querySelector("[data-problem]");
  place.textContent = why;
  place.hidden = !why;
}

// What the browser itself says is for programmers.
function sentence(problem) {
  if (problem.name === "InvalidStateError") return "This passkey is yours already. Nothing needs to be added.";
  if (problem.name === "NotAllowedError") return "No passkey answered: it was not touched in time, or another one is needed. Press the button again.";
  return "The passkey could not be used here. Try again, or use a code.";
}

async function ask(form) {
  const words = new FormData(form);
  words.delete("form-key"); // it is the form's own, which is sent with the answer
  const answer = await fetch(form.dataset.ask, { method: "POST", body: words, headers: { Accept: "application/json" } });
  const heard = await answer.json();
  if (!heard.ok) throw Object.assign(new Error(heard.why), { said: true });
  return opened(heard.options);
}

async function touched(form) {
  say(form, "");
  try {
    const publicKey = await ask(form);
    const credential = await navigator.credentials[form.dataset.passkey]({ publicKey });
    form.elements.credential.value = told(credential);
    if (form.elements.password) form.elements.password.value = ""; // it was read already
    form.submit();
  } catch (problem) {
    say(form, problem.said ? problem.message : sentence(problem));
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.addEventListener("submit", (event) => {
    if (form.elements.code?.value) return; // a code was typed instead
    event.preventDefault();
    if (window.PublicKeyCredential) touched(form);
    else say(form, "This browser knows no passkeys. Use a code.");
  });
}
