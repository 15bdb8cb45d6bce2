import { expect, test } from "@playwright/test";
import { faults } from "./axe";

const pageWith = (text: string) => `<!doctype html><html lang="en"><title>A page</title>
  <body style="background: #fff; color: #000"><main>
    <h1>A page</h1><p><a href="#more">More of it</a></p><button type="button">Send</button>
    <img alt="A letter" src="data:," /><h2 id="more">More</h2><label>Name <input /></label>${text}
  </main></body></html>`;

test("a text that fades while axe looks is no fault", async ({ page }) => {
  await page.setContent(pageWith(`<p id="toast" style="transition: opacity 3s">On its way</p>`));
  const fading = await page.evaluateHandle(() => {
    const toast = document.querySelector<HTMLElement>("#toast");
    const seen = { faded: false };
    let axe: unknown;
    // It begins to look as soon as it is there.
    Object.defineProperty(globalThis, "axe", {
      get: () => axe,
      set(value) {
        axe = value;
        seen.faded = true;
        toast?.style.setProperty("opacity", "0");
        toast?.addEventListener("transitionend", () => toast.remove());
      },
    });
    return seen;
  });
  expect(await faults(page)).toEqual([]);
  expect(await fading.jsonValue()).toEqual({ faded: true });
});

test("a text that stays pale is a fault, whatever else moves", async ({ page }) => {
  await page.setContent(
    pageWith(`<p style="color: #ddd">Hard to read</p>
      <div id="moving" style="transition: width 50ms; width: 10px"></div>
      <script>setInterval(() => (moving.style.width = Math.random() * 90 + "px"), 200)</script>`),
  );
  expect(await faults(page)).toEqual([expect.stringMatching(/^color-contrast: .*Hard to read/)]);
});
