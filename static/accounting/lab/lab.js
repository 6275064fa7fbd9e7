// Sliders and figures that agree. Without this script the figures alone are sent.
const form = document.getElementById("knobs");

form.addEventListener("input", (event) => {
  const turned = event.target;
  if (turned.dataset.for) {
    document.getElementById(turned.dataset.for).value = turned.value;
    return;
  }
  const slider = form.querySelector(`[data-for="${CSS.escape(turned.id)}"]`);
  if (slider) slider.value = turned.value || 0;
});
