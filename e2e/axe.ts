import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Colours change by transitions, of which those of parents start those of children, reduced motion or not. */
export const coloursSettle = (page: Page) =>
  page.evaluate(async () => {
    while (document.getAnimations().some((animation) => animation instanceof CSSTransition)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });

/** What axe finds on a page, each with its place. */
export async function faults(page: Page): Promise<string[]> {
  await coloursSettle(page);
  // While Next draws a page again it has no title for up to 300 ms: this waits for it, axe does not.
  await expect(page, "the page has a title").toHaveTitle(/\S/);
  // A mail's frame runs no scripts: axe would wait in it forever.
  const { violations, passes } = await new AxeBuilder({ page })
    .exclude("iframe[sandbox]")
    .disableRules("document-title")
    .analyze();
  expect(passes.length).toBeGreaterThan(5);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 150)} ${failureSummary ?? ""}`),
  );
}

/**
 * By how many pixels the page is wider than the window, for which somebody on a phone has to scroll sideways. Charts
 * take a new width of the window a moment later: what is too wide has two seconds.
 */
export async function overflow(page: Page): Promise<number> {
  // A page that has only just begun to arrive has no width.
  await page.waitForLoadState();
  return page.evaluate(async () => {
    const { documentElement: root } = document;
    const settled = performance.now() + 2_000;
    while (root.scrollWidth > root.clientWidth && performance.now() < settled) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return root.scrollWidth - root.clientWidth;
  });
}
