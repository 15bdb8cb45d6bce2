import type { Page } from "@playwright/test";
import { startIdentityProvider, type TestProvider } from "@/lib/testing/identity-provider";
import { faults, overflow } from "./axe";
import { bootstrap, expect, test } from "./fixtures";
import { startProduct, type Product } from "./product";
import { signOut } from "./sign-out";

const button = (page: Page) => page.getByRole("button", { name: "Sign in with Acme ID" });

/** What the page says about the last attempt; it has to be in order besides. */
async function told(page: Page): Promise<string> {
  await expect(page.getByRole("alert").first()).toContainText(/\w/);
  expect(await faults(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  return (await page.getByRole("alert").first().textContent()) ?? "";
}

/** The way of a person, in one product: it takes long to start. */
async function journey(page: Page, product: Product, provider: TestProvider): Promise<void> {
  const email = "ada@acme.example";
  const { projectId } = bootstrap(product, email);
  const emails = `/dashboard/${projectId}/emails`;
  provider.person = { sub: "ada", email, email_verified: false };

  await page.goto(product.url + emails);
  await expect(page).toHaveURL(/\/sign-in\?to=/);
  expect(await faults(page)).toEqual([]);
  await button(page).click();
  await expect(page).toHaveURL(/problem=unverified/);
  expect(await told(page)).toContain("your email address is not confirmed");

  provider.person.email_verified = true;
  await button(page).click();
  await expect(page).toHaveURL(product.url + emails);

  await signOut(page, email);
  provider.person = { sub: "ada", email: "ada.king@acme.example", email_verified: true };
  await button(page).click();
  await expect(page).toHaveURL(/\/dashboard\/prj_/);
  await page.goto(`${product.url}/dashboard/${projectId}/settings`);
  const row = page.getByRole("table", { name: "Accounts that sign you in" }).getByRole("row");
  await expect(row.nth(1)).toContainText("ada.king@acme.example");
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "Unlink Acme ID" }).click();
  const dialog = page.getByRole("dialog");
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Unlink" }).click();
  await expect(dialog.getByRole("alert")).toContainText("the only way in which");
  await dialog.getByRole("button", { name: "Keep it" }).click();

  await signOut(page, email);
  provider.person = { sub: "stranger", email: "stranger@acme.example", email_verified: true };
  await button(page).click();
  expect(await told(page)).toContain("There is no account for your address");

  await page.getByLabel("Email").fill("ada@only.example");
  await page.getByLabel("Password").fill("whatever it is");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("People at only.example sign in with Acme ID")).toBeVisible();
}

test("people sign in with their company's account, and are told why when they cannot", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const provider = await startIdentityProvider();
  const product = await startProduct({
    ...provider.settings,
    OIDC_DOMAINS: "acme.example, only.example",
    OIDC_ONLY: "1",
  });
  try {
    await page.goto(`${product.url}/sign-in`);
    await expect(button(page)).toBeVisible();
    await provider.stop();
    await button(page).click();
    expect(await told(page)).toContain("does not work at the moment");
    const again = await startIdentityProvider(Number(new URL(provider.issuer).port));
    try {
      await journey(page, product, again);
    } finally {
      await again.stop();
    }
  } finally {
    await product.remove();
  }
});
