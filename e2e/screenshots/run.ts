import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { coloursSettle } from "../axe";
import { browserOptions } from "../browser";
import setup from "../global-setup";
import { startDnsServer } from "@/lib/testing/dns-server";
import { root, startProduct } from "../product";
import { pages, quietPages } from "./pages";
import { makeScene, seed } from "./scene";
import { faultsOf, picture, showWhole } from "./picture";

/*
 * `npm run screenshots [name...]`: pictures of every page, or of those named, in docs/screenshots: of a seeded
 * project, on a desktop and a phone, light and dark. With `-- --language de` as somebody sees them whose browser asks
 * for that language, in a folder of its name. It fails where a page has no heading, scrolls sideways or says that
 * something went wrong.
 */

const { values, positionals: wanted } = parseArgs({
  options: { language: { type: "string" } },
  allowPositionals: true,
});
const { language } = values;
const folder = join(root, "docs/screenshots", language ?? "");
const visitor = { reducedMotion: "reduce", ...(language ? { locale: language } : {}) } as const;
const windows = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

const unknown = wanted.filter((name) => !(name in pages) && !(name in quietPages));
if (unknown.length > 0) throw new Error(`No such page: ${unknown.join(", ")}`);

setup();
const dns = await startDnsServer();
const product = await startProduct({
  DNS_SERVERS: dns.address,
  MAIL_HOSTNAME: "mx.lettermill.example",
});
const browser = await chromium.launch(await browserOptions());
let faults = 0;

/** Pictures of one page in both windows and themes. */
async function photograph(page: Page, name: string, url: string): Promise<void> {
  for (const [device, viewport] of Object.entries(windows)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(url);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.waitForLoadState("networkidle");
    await showWhole(page, viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await coloursSettle(page);
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

try {
  const { projectId, loginUrl } = seed(product);
  const context = await browser.newContext(visitor);
  const page = await context.newPage();
  await page.goto(loginUrl);
  await page.getByRole("main").getByRole("button").click();
  await page.waitForURL(/\/dashboard\/prj_/);
  const ids = await makeScene(page, { product, projectId, dns });
  if (wanted.length === 0 && !language) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const stranger = await (await browser.newContext(visitor)).newPage();
  const named = (pages: Readonly<Record<string, string>>) =>
    Object.entries(pages)
      .filter(([name]) => wanted.length === 0 || wanted.includes(name))
      .map(
        ([name, path]) =>
          [name, path.replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? id)] as const,
      );
  for (const [name, path] of named(pages)) {
    await photograph(page, name, `${product.url}/dashboard/${projectId}${path}`);
  }
  for (const [name, path] of named(quietPages)) {
    await photograph(stranger, name, new URL(path, product.url).href);
  }
} finally {
  await browser.close();
  await product.remove();
  await dns.stop();
}
console.log(execFileSync("du", ["-sh", folder], { encoding: "utf8" }).trim());
process.exitCode = faults > 0 ? 1 : 0;
