import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { browserOptions } from "../browser";
import setup from "../global-setup";
import { startDnsServer } from "@/lib/testing/dns-server";
import { root, startProduct } from "../product";
import { pages } from "./pages";
import { makeScene, seed } from "./scene";

/*
 * `npm run screenshots [name...]`: pictures of every page of the dashboard, or of those named, in
 * docs/screenshots: of a seeded project, on a desktop and a phone, light and dark. It fails where a page
 * has no heading, scrolls sideways or says that something went wrong.
 */

const folder = join(root, "docs/screenshots");
const windows = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** Pixels: what is further down is left out. */
const tallest = 2_400;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in pages));
if (unknown.length > 0) throw new Error(`No such page: ${unknown.join(", ")}`);

/** Playwright itself makes no WebP, which is a third of a PNG here. */
async function picture(page: Page): Promise<Buffer> {
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

/** What is wrong with the page as it stands there. */
async function faultsOf(page: Page): Promise<string[]> {
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  );
  const failed = await page.getByText(/went wrong|could not be loaded/i).count();
  return [
    ...(sideways > 0 ? [`scrolls ${sideways} pixels sideways`] : []),
    ...(failed > 0 ? ["says that something went wrong"] : []),
  ];
}

setup();
const dns = await startDnsServer();
const product = await startProduct({
  DNS_SERVERS: dns.address,
  MAIL_HOSTNAME: "mx.lettermill.example",
});
const browser = await chromium.launch(await browserOptions());
let faults = 0;
try {
  const { projectId, loginUrl } = seed(product);
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(loginUrl);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/dashboard\/prj_/);
  const ids = await makeScene(page, { product, projectId, dns });
  if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, path] of Object.entries(pages)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? id);
    for (const [device, viewport] of Object.entries(windows)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(`${product.url}/dashboard/${projectId}${filled}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const shot = `${name}-${device}-${colorScheme}`;
        for (const fault of await faultsOf(page)) {
          faults++;
          console.error(`${shot}: ${fault}`);
        }
        await writeFile(join(folder, `${shot}.webp`), await picture(page));
      }
    }
    console.log(name);
  }
} finally {
  await browser.close();
  await product.remove();
  await dns.stop();
}
console.log(execFileSync("du", ["-sh", folder], { encoding: "utf8" }).trim());
process.exitCode = faults > 0 ? 1 : 0;
