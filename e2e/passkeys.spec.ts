import type { CDPSession, Page } from "@playwright/test";
import { faults, overflow } from "./axe";
import { expect, signIn, test } from "./fixtures";
import { signOut } from "./sign-out";

/** A browser's own authenticator, with a finger that is always there. */
async function plugIn(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

test("a passkey is added, signs in without address and code, is renamed and removed", async ({
  page,
  product,
}) => {
  const { cdp, authenticatorId } = await plugIn(page);
  const touch = (enabled: boolean) =>
    cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  const settings = `${product.url}/dashboard/${product.projectId}/settings`;
  await signIn(page, product);
  await page.goto(settings);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Name")).toHaveValue(/ on Linux$/);
  expect(await faults(page)).toEqual([]);
  await dialog.getByLabel("Name").fill("My laptop");
  await dialog.getByRole("button", { name: "Continue" }).click();
  const row = page.getByRole("table", { name: "Your passkeys" }).getByRole("row");
  await expect(row.filter({ hasText: "My laptop" })).toContainText("never");
  await expect(dialog).toHaveCount(0);
  expect(await faults(page)).toEqual([]);

  // The page offers passkeys among the addresses as it opens: nobody touches anything yet.
  await touch(false);
  await signOut(page, product.owner);
  await expect(page.getByLabel("Email")).toHaveAttribute("autocomplete", "username webauthn");
  expect(await faults(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await touch(true);
  await button.click();
  await expect(page).toHaveURL(/\/dashboard\/prj_/);

  await page.goto(settings);
  await expect(row.filter({ hasText: "My laptop" })).not.toContainText("never");
  await page.getByRole("button", { name: "Rename My laptop" }).click();
  await dialog.getByLabel("Name").fill("Old laptop");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row.filter({ hasText: "Old laptop" })).toHaveCount(1);
  await page.getByRole("button", { name: "Remove Old laptop" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("“Old laptop” was removed")).toBeVisible();
  await expect(row).toHaveCount(0);

  // The authenticator still holds it, and the server no longer knows it.
  await touch(false);
  await signOut(page, product.owner);
  await touch(true);
  await button.click();
  await expect(page.getByRole("alert").first()).toContainText("not known here");
  await page.goto(settings);
  await expect(page).toHaveURL(/\/sign-in/);
});

test("an authenticator that asks for no finger or PIN gets no passkey, and a person is told", async ({
  dashboard,
  product,
}) => {
  const { cdp, authenticatorId } = await plugIn(dashboard);
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await dashboard.goto(`${product.url}/dashboard/${product.projectId}/settings`);
  await dashboard.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = dashboard.getByRole("dialog");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("alert")).toContainText("has not made a passkey");
});
