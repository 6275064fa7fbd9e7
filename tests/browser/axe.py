"""What axe finds on a page; the contrast of a kind of text is judged once, wherever it stands again.

Contrast is three quarters of axe's work, and it follows from a text's own style and the grounds under it. Whatever is
lifted off its place in the page, so that it may lie over something else, is judged every time.

A page that was judged and then only turned to another size is asked what depends on the size: the rules of layout, and
every rule about what was not to be seen before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

_JUDGED: Final[set[str]] = set()
_AXE: Final = Axe().axe_script
# What may differ on a page of which nothing changed but its size.
_OF_LAYOUT: Final = (
    "bypass", "heading-order", "landmark-one-main", "page-has-heading-one", "region", "scrollable-region-focusable",
    "skip-link", "target-size",
)  # fmt: skip
_LOOK: Final = """
async ([judged, turned]) => {
  const known = new Set(judged), grounds = new Map(), kinds = new Set(), fresh = [];
  const BARE = "rgba(0, 0, 0, 0) none 1 none normal", LIFTED = "lifted";
  const own = (e, style) => {
    const away = !["static", "relative"].includes(style.position) || style.zIndex !== "auto" || style.float !== "none"
      || style.transform !== "none" || style.translate !== "none" || /-\\d/.test(style.margin)
      || /[1-9]/.test(style.inset) || style.gridRowStart !== "auto" || style.gridColumnStart !== "auto";
    const s = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode].join(" ");
    return (away ? LIFTED : "") + (s === BARE ? "" : s);
  };
  const ground = (e) => {
    if (!e) return "";
    if (!grounds.has(e)) {
      const here = own(e, getComputedStyle(e));
      grounds.set(e, ground(e.parentElement) + (here ? ">" + here : ""));
    }
    return grounds.get(e);
  };
  const speaks = (e) => e.matches("input, select, textarea")
    || [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
  for (const e of document.body.querySelectorAll("*")) {
    if (!speaks(e) || !e.checkVisibility()) continue;
    const s = getComputedStyle(e);
    const letters = [s.color, s.webkitTextFillColor, s.fontSize, s.fontWeight, s.textShadow, e.disabled];
    const kind = [...letters, ground(e)].join("|");
    if (kind.includes(LIFTED)) fresh.push(e);
    else if (!known.has(kind)) { fresh.push(e); kinds.add(kind); }
  }
  const options = { resultTypes: ["violations"] };
  const visible = [...document.body.querySelectorAll("*")].filter((e) => e.checkVisibility());
  const appeared = turned ? visible.filter((e) => !window.seenByAxe?.has(e)) : [];
  window.seenByAxe = new WeakSet(visible);
  const faintless = { ...options, rules: { "color-contrast": { enabled: false } } };
  const rest = await axe.run(document, turned ? { ...options, runOnly: turned } : faintless);
  // A living page may have taken something away since it was found.
  const ask = async (some, how) => {
    const there = some.filter((e) => e.isConnected);
    return there.length ? axe.run(there, how) : { violations: [] };
  };
  const more = await ask(appeared, faintless);
  const faint = await ask(fresh, { ...options, runOnly: ["color-contrast"] });
  return {
    found: [...rest.violations, ...more.violations, ...faint.violations].map((each) => [each.id, each.nodes[0].html]),
    kinds: faint.violations.length ? [] : [...kinds],
  };
}
"""


def complaints_of_axe(page: Page, *, turned: bool = False) -> list[tuple[str, str]]:
    """Each rule that is broken, with the first element that breaks it; `turned` where only the size is another one."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(_AXE)
    told = page.evaluate(_LOOK, [sorted(_JUDGED), list(_OF_LAYOUT) if turned else None])
    _JUDGED.update(told["kinds"])
    return [(rule, element) for rule, element in told["found"]]
