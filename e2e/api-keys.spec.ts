import { expect, test } from "./fixtures";
import { until } from "./product";

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
  await page.getByRole("button", { name: "I have kept it" }).click();

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
  await expect(row).toHaveCount(0);
  const revoked = performance.now();
  await until("the key is refused", async () => (await ask()) === 401 || null);
  expect(performance.now() - revoked).toBeLessThan(1000);
});
