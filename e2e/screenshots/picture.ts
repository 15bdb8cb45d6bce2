import type { Page } from "@playwright/test";

/** Pixels: what is further down is left out. */
const tallest = 2_400;

/** Playwright itself makes no WebP, which is a third of a PNG here. */
export async function picture(page: Page): Promise<Buffer> {
  const { width, height } = await page.evaluate(() => ({
    width: window.innerWidth,
    height: Math.max(window.innerHeight, document.documentElement.scrollHeight),
  }));
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: 80,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, tallest), scale: 1 },
  });
  await session.detach();
  return Buffer.from(data, "base64");
}

/** Makes the window as high as the page: frames further down are drawn by processes that paint what is in it. */
export async function showWhole(page: Page, { width, height }: { width: number; height: number }) {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.min(Math.max(whole, height), tallest) });
  await page.evaluate(comesToRest, { quiet: 700, most: 5_000 });
  for (const frame of page.frames()) await frame.waitForLoadState("load");
}

/**
 * Resolves once the page has changed nothing for `quiet` milliseconds, or after `most`: charts are drawn when seen. It runs
 * in the page, where a function that is given a name would look for a helper of the loader's.
 */
function comesToRest({ quiet, most }: { quiet: number; most: number }): Promise<void> {
  return new Promise((resolve) => {
    let rest = setTimeout(resolve, quiet);
    setTimeout(resolve, most);
    new MutationObserver(() => {
      clearTimeout(rest);
      rest = setTimeout(resolve, quiet);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
}

/** What is wrong with the page as it stands there. */
export async function faultsOf(page: Page): Promise<string[]> {
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  );
  // The reference of the API shows what is said to programs.
  const failed = await page.getByText(/went wrong(?! on our side)|could not be loaded/i).count();
  return [
    ...(sideways > 0 ? [`scrolls ${sideways} pixels sideways`] : []),
    ...(failed > 0 ? ["says that something went wrong"] : []),
  ];
}
