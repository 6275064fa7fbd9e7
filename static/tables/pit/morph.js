// Brings what stands on the page to what the server sent, touching only what differs: a finger that is down, a focus
// and a half-read line stay where they are.

export function morph(box, html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  children(box, fresh.content);
}

function children(now, wanted) {
  const before = solid(now);
  const after = solid(wanted);
  if (before.length !== after.length || before.some((node, at) => !alike(node, after[at]))) {
    now.replaceChildren(...wanted.childNodes);
    return;
  }
  before.forEach((node, at) => one(node, after[at]));
}

function one(now, wanted) {
  if (now.nodeType === Node.TEXT_NODE) {
    if (now.data !== wanted.data) now.data = wanted.data;
    return;
  }
  for (const { name } of [...now.attributes]) if (!wanted.hasAttribute(name)) now.removeAttribute(name);
  for (const { name, value } of wanted.attributes) if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  if (!wanted.hasAttribute("data-since")) children(now, wanted); // its text is an age, written here
}

const solid = (parent) => [...parent.childNodes].filter((node) => node.nodeType === Node.ELEMENT_NODE || (node.nodeType === Node.TEXT_NODE && node.data.trim()));
const alike = (one, other) => one.nodeName === other.nodeName && (one.id ?? "") === (other.id ?? "");
