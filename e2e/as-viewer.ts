import { execFileSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { root, type Product } from "./product";

/** Somebody who may look, signed in through the link in their invitation; each address once per product. */
export async function signInAsViewer(
  page: Page,
  product: Product,
  email = "viewer@example.com",
): Promise<void> {
  const words = ["user", "invite", email, "--role", "viewer", "--json"];
  const text = execFileSync(
    process.execPath,
    ["--import", "tsx", "bin/lettermill.ts", ...words, "--project", product.projectId],
    { cwd: root, encoding: "utf8", env: { ...process.env, DATA_DIR: product.dataDir } },
  );
  await page.goto((JSON.parse(text) as { url: string }).url);
  await page.getByLabel("New password").fill("a viewer looks and changes nothing");
  await page.locator("button[type=submit]").click();
  await page.waitForURL(/\/dashboard\/prj_/);
}
