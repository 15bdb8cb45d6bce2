import type { Page } from "@playwright/test";
import { faults, overflow } from "./axe";
import { expect, test } from "./fixtures";

/** Holds back every script from now on; `release` lets them come, `lose` loses them. */
async function holdScripts(page: Page) {
  // The palette's script is asked for by every page, once it runs.
  await page.waitForLoadState("networkidle");
  let decide: (arrive: boolean) => void = () => {};
  const decided = new Promise<boolean>((resolve) => (decide = resolve));
  await page.route("**/_next/static/chunks/**", async (route) => {
    await ((await decided) ? route.continue() : route.abort());
  });
  return { release: () => decide(true), lose: () => decide(false) };
}

for (const [device, size] of [
  ["a desktop", { width: 1280, height: 800 }],
  ["a phone", { width: 390, height: 844 }],
] as const) {
  test(`on ${device}, a dialog whose script is late says that it is coming, and can be given up`, async ({
    dashboard: page,
    product,
  }) => {
    await page.setViewportSize(size);
    await page.goto(`${product.url}/dashboard/${product.projectId}/contacts`);
    const scripts = await holdScripts(page);
    const button = page.getByRole("button", { name: "Add contact" }).first();
    const coming = page.getByRole("dialog", { name: "Loading…" });
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(coming).toBeVisible();
    await expect(coming).toBeFocused();
    expect(await faults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    // What is typed at once presses nothing, and nothing behind it can be reached.
    await page.keyboard.type("ada ");
    await page.keyboard.press("Enter");
    await expect(coming).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(coming.getByRole("button", { name: "Cancel" })).toBeFocused();

    await page.keyboard.press("Escape");
    await expect(coming).toHaveCount(0);
    await expect(button).toBeFocused();

    await page.keyboard.press("Enter");
    await coming.getByRole("button", { name: "Cancel" }).click();
    await expect(coming).toHaveCount(0);
    await expect(button).toBeFocused();

    // It is there at last: with the focus in its first field, and then where it came from.
    await page.keyboard.press("Enter");
    await expect(coming).toBeVisible();
    scripts.release();
    const dialog = page.getByRole("dialog", { name: "Add a contact" });
    await expect(dialog.getByLabel("Email")).toBeFocused();
    await expect(coming).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(button).toBeFocused();
  });
}

test("a dialog whose script is lost says so, and leaves the page as it was", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts`);
  const scripts = await holdScripts(page);
  const button = page.getByRole("button", { name: "Add contact" }).first();
  await button.click();
  const coming = page.getByRole("dialog", { name: "Loading…" });
  await expect(coming).toBeVisible();
  scripts.lose();
  await expect(page.getByText("This could not be opened")).toBeVisible();
  await expect(coming).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("a dialog that is closed gives the focus back to the button that opened it", async ({
  dashboard: page,
  product,
}) => {
  for (const [path, name] of [
    ["contacts", "Add contact"],
    ["domains", "Add domain"],
    ["api-keys", "Create key"],
    ["webhooks", "Add webhook"],
    ["suppressions", "Suppress an address"],
  ] as const) {
    await page.goto(`${product.url}/dashboard/${product.projectId}/${path}`);
    const button = page.getByRole("button", { name, exact: true }).first();
    const dialog = page.getByRole("dialog");
    for (const close of ["Escape", "Cancel"]) {
      await button.focus();
      await page.keyboard.press("Enter");
      await expect(dialog).toBeVisible();
      await expect(dialog.locator(":focus")).toHaveCount(1);
      if (close === "Escape") await page.keyboard.press("Escape");
      else await dialog.getByRole("button", { name: close }).click();
      await expect(dialog).toHaveCount(0);
      await expect(button, `${path}, ${close}`).toBeFocused();
    }
  }
});
