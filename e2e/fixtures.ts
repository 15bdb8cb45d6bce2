import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";
import { root, startProduct, type Product } from "./product";

export { expect };

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

interface Shared {
  product: Product;
  /** Of the build that the tests made sure of. */
  buildId: string;
  /** Cookies of the owner, signed in once. */
  session: Session;
}

/** A running product per worker, under the capture transport, and a page that is signed in to it. */
export const test = base.extend<{ dashboard: Page }, Shared>({
  buildId: [
    async ({}, use) => {
      await use((await readFile(`${root}/.next/BUILD_ID`, "utf8")).trim());
    },
    { scope: "worker" },
  ],
  product: [
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.remove();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  session: [
    async ({ browser, product }, use) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await signIn(page, product);
      const session = await context.storageState();
      await context.close();
      await use(session);
    },
    { scope: "worker" },
  ],
  dashboard: async ({ page, product, session }, use) => {
    await page.context().addCookies(session.cookies);
    // A test that changed the password has signed the owner out everywhere.
    const answer = await page.request.get(`${product.url}/dashboard`);
    if (!answer.url().includes("/dashboard/prj_")) await signIn(page, product);
    await use(page);
  },
});

/** What the command line prints for an operator: a one-time link, and the owner's platform token. */
export function bootstrap(
  product: Product,
  email = "owner@example.com",
): { loginUrl: string; platformToken: string } {
  const text = execFileSync(
    process.execPath,
    ["--import", "tsx", "bin/lettermill.ts", "bootstrap", "--email", email, "--json"],
    { cwd: root, encoding: "utf8", env: { ...process.env, DATA_DIR: product.dataDir } },
  );
  return JSON.parse(text) as { loginUrl: string; platformToken: string };
}

export const newLoginUrl = (product: Product, email?: string) => bootstrap(product, email).loginUrl;

/** Signs the owner in with a new one-time link. */
export async function signIn(page: Page, product: Product): Promise<void> {
  await page.goto(newLoginUrl(product));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/dashboard\/prj_/);
}
