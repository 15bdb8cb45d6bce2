import { expect, test } from "./fixtures";
import { showPlatformToken } from "./platform-token";
import { until } from "@/lib/testing/until";

test("a key made in the browser works, is shown once, and is refused within a second of its end", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/api-keys`);
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Web shop");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await page.getByTestId("new-key").innerText();
  expect(key).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
  await page.getByRole("button", { name: "I have copied it" }).click();

  const ask = async () => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${product.url}/v1/emails`, { headers })).status;
  };
  expect(await ask()).toBe(200);

  await page.reload();
  const row = page.getByRole("row").filter({ hasText: "Web shop" });
  await expect(row).toContainText(key.slice(-4));
  expect(await page.content()).not.toContain(key);

  await row.getByRole("button", { name: "Revoke Web shop" }).click();
  await page
    .getByRole("alertdialog")
    .or(page.getByRole("dialog"))
    .getByRole("button", { name: "Revoke key" })
    .click();
  // What lies behind an open dialog has no role: the row counts only when the dialog has closed.
  await expect(page.getByText("Revoke key", { exact: true })).toHaveCount(0);
  await expect(row).toHaveCount(0);
  const revoked = performance.now();
  await until(async () => (await ask()) === 401 || null, { what: "the key is refused" });
  expect(performance.now() - revoked).toBeLessThan(1000);
});

test("the platform token is hidden until asked for, works, and is replaced", async ({
  dashboard: page,
  product,
}) => {
  const token = await showPlatformToken(page, product);
  const ask = async (one: string) =>
    (await fetch(`${product.url}/api/v1/lists?api_token=${one}`)).status;
  expect(await ask(token)).toBe(200);

  await page.reload();
  await expect(page.getByTestId("platform-token")).toHaveText(`••••••••••••${token.slice(-4)}`);
  expect(await page.content()).not.toContain(token);

  await page.getByRole("button", { name: "Replace", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replace token" }).click();
  await expect(page.getByTestId("platform-token")).toHaveText(/^[0-9A-Za-z]{60}$/);
  const fresh = await page.getByTestId("platform-token").innerText();
  expect(fresh).not.toBe(token);
  await expect(page.getByRole("region", { name: "platform curl command" })).toContainText(fresh);
  expect([await ask(token), await ask(fresh)]).toEqual([401, 200]);
});
