import { expect, test } from "@playwright/test";
import { startDnsServer } from "@/lib/testing/dns-server";
import { faults, overflow } from "./axe";
import { startProduct } from "./product";
import { pages, quietPages } from "./screenshots/pages";
import { makeScene, seed } from "./screenshots/scene";

/*
 * The pages of single things, in a project that has all of them: those of accessibility.spec.ts are looked at in a
 * project that has nothing.
 */

const phone = { width: 375, height: 740 };

test("axe finds nothing on the page of anything that a project can have, in light and dark, and each fits a phone", async ({
  browser,
}) => {
  test.setTimeout(600_000);
  const dns = await startDnsServer();
  const product = await startProduct({
    DNS_SERVERS: dns.address,
    MAIL_HOSTNAME: "mx.lettermill.example",
  });
  const context = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const { projectId, loginUrl } = seed(product);
    const page = await context.newPage();
    await page.goto(loginUrl);
    await page.getByRole("main").getByRole("button").click();
    await page.waitForURL(/\/dashboard\/prj_/);
    const ids = await makeScene(page, { product, projectId, dns });
    const named = (path: string) =>
      path.replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? `no ${id}`);
    // Not the mail itself, as its page in a browser: it may run no scripts, and axe would wait for its own.
    const urls = [
      ...Object.values(pages).map((path) => [path, `/dashboard/${projectId}${named(path)}`]),
      ...Object.values(quietPages).map((path) => [path, named(path)]),
    ].filter(([path]) => path?.includes("{") && path !== quietPages["view-in-browser"]);
    expect(urls.length).toBeGreaterThan(20);
    for (const [path = "", url = ""] of urls) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(new URL(url, product.url).href);
      await expect(page.getByRole("heading", { level: 1 }).first(), path).toBeVisible();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect.soft(await faults(page), `${path}, ${colorScheme}`).toEqual([]);
      }
      await page.setViewportSize(phone);
      expect.soft(await overflow(page), path).toBeLessThanOrEqual(0);
    }
  } finally {
    await context.close();
    await product.remove();
    await dns.stop();
  }
});
