"""The checklist of a table in a real browser: a photo of a tablet is made small, nothing for axe to find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tables.floor.models.check import TableCheck
from tests.browser.floor_scene import WHOLE_FILES
from tests.browser.looks import SIZES, Watched
from tests.browser.test_pages import sign_in
from tests.builders import a_jackpot, a_person, a_property, a_table
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
MAKE_A_PHOTO = """async ([width, height]) => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const ink = canvas.getContext("2d");
  const noise = ink.createImageData(width, height);
  const grain = (at) => ((at * 7919) % 256 ^ (at >> 9)) & 255;
  for (let at = 0; at < noise.data.length; at += 1) noise.data[at] = at % 4 === 3 ? 255 : grain(at);
  ink.putImageData(noise, 0, 0);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const files = new DataTransfer();
  files.items.add(new File([blob], "camera.png", { type: "image/png" }));
  const input = document.querySelector("#photo-layout");
  input.files = files.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return blob.size;
}"""


def test_a_tablet_checks_off_the_layout_and_the_page_shows_it(live: Live, browser_page: Page) -> None:
    a_table("UTH-01", a_jackpot("GRAND", premises=a_property(checklist_opens=True)))
    a_person("ann", password="right", may=("see", "service"))
    page = browser_page
    sign_in(page, live)
    watched = Watched(page)
    page.goto(f"{live.url}/pit/tables/UTH-01/checklist/")
    assert page.evaluate(MAKE_A_PHOTO, [2400, 1800]) > 400_000
    expect(page.locator("#layout ~ form .first")).to_be_enabled()
    for box in page.locator("#layout ~ form [name=mark]").all():
        box.check()
    page.click("#layout ~ form .first")
    expect(page.locator(".list-head .chip")).to_contain_text("1 of 4 in order")
    check = TableCheck.objects.get()
    assert check.photo_type == "image/jpeg"
    assert len(bytes(check.photo or b"")) < 2_000_000
    expect(page.locator(".seen img")).to_be_visible()
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        watched.check(name)
    assert watched.complaints == []
