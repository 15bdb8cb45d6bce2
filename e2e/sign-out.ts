import type { Page } from "@playwright/test";
import { expect } from "./fixtures";

/** Signs a person out by the menu with their address. A page that has just come answers presses once its script runs. */
export async function signOut(page: Page, address: string): Promise<void> {
  const item = page.getByRole("menuitem", { name: /sign out/i });
  const button = page.getByRole("button", { name: address });
  await expect(async () => {
    // A second press would close what the first has opened.
    if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
    await expect(item).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await item.click();
  await expect(page).toHaveURL(/\/sign-in/);
}
