import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** What the page notes for those who look at it: undefined once another page has taken its place. */
type Noting = typeof globalThis & { colourChanges?: number };

/**
 * Colours change by transitions, of which those of parents start those of children, reduced motion or not. Throws when
 * they do not end: tells which, of what. From then on the page counts those that begin.
 */
export async function coloursSettle(page: Page): Promise<void> {
  const unsettled = await page.evaluate(async () => {
    const transitions = () =>
      document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    const deadline = performance.now() + 10_000;
    while (transitions().length > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const noting = globalThis as Noting;
    if (noting.colourChanges === undefined) {
      const note = () => (noting.colourChanges = (noting.colourChanges ?? 0) + 1);
      document.addEventListener("transitionrun", note);
    }
    noting.colourChanges = 0;
    return transitions().map(({ transitionProperty, playState, currentTime, effect }) => {
      const target = effect instanceof KeyframeEffect ? effect.target?.outerHTML.slice(0, 150) : "";
      return `${transitionProperty} ${playState} at ${String(currentTime)} ms of ${target}`;
    });
  });
  expect(unsettled, "colours settle within 10 s").toEqual([]);
}

/** How often axe looks at a page that changes while it looks. */
const mostLooks = 5;

/** For each page that a test looks at: a slow machine takes 20 seconds to load one and to look at it twice. */
export const pageMilliseconds = 40_000;

/** What axe finds on a page, each with its place. */
export async function faults(page: Page): Promise<string[]> {
  for (let looks = 1; ; looks++) {
    await coloursSettle(page);
    const found = await look(page);
    if (found.length === 0 || looks === mostLooks) return found;
    // A toast that faded while axe looked is pale for a moment.
    const changes = await page.evaluate(() => (globalThis as Noting).colourChanges);
    if (changes === 0) return found;
  }
}

async function look(page: Page): Promise<string[]> {
  // While Next draws a page again it has no title for up to 300 ms: this waits for it, axe does not.
  await expect(page, "the page has a title").toHaveTitle(/\S/);
  // A mail's frame runs no scripts: axe would wait in it forever.
  const { violations, passes } = await new AxeBuilder({ page })
    // Otherwise it opens a page for its results, and works out the place of everything that is right.
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
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
