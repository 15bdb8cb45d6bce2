import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures";

/**
 * Opens the palette once the page's scripts run, and returns its box. What is pressed before them is lost, and a second
 * press that they hear would close it again: how soon it is shown does not tell the two apart.
 */
export async function openPalette(page: Page): Promise<Locator> {
  const last = await page.evaluateHandle(() => {
    const seen: { event?: Event } = {};
    addEventListener("keydown", (event) => (seen.event = event));
    return seen;
  });
  await expect(async () => {
    await page.keyboard.press("Control+k");
    expect(await last.evaluate(({ event }) => event?.defaultPrevented)).toBe(true);
  }).toPass({ timeout: 10_000 });
  const box = page.getByRole("combobox", { name: /^Go to/ });
  await expect(box).toBeFocused();
  return box;
}
