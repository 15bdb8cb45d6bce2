import { expect, test } from "./fixtures";

test("an operation has a page with its examples, and a key made for them works in all of them", async ({
  dashboard: page,
  product,
}) => {
  const reference = `${product.url}/dashboard/${product.projectId}/api-reference`;
  const example = (summary: string) =>
    page.getByRole("region", { name: new RegExp(`^curl: ${summary}`) }).first();
  // When all of them stood on one page, they had anchors.
  await page.goto(`${reference}#listEmails`);
  await page.waitForURL(`${reference}/listEmails`);
  await expect(example("List emails")).toContainText("$LETTERMILL_API_KEY");
  await expect(page.getByRole("main")).toContainText("Response 200");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^List emails/);

  await page.getByRole("main").getByRole("link", { name: "API reference" }).click();
  await page.getByRole("navigation", { name: "Contents" }).getByText("List segments").click();
  await page.waitForURL(`${reference}/listSegments`);
  const segments = example("List segments");

  await page.getByLabel("Your API key").fill("sk_live_$(reboot)");
  await page.getByRole("button", { name: "Use it" }).click();
  await expect(page.getByText("This is not an API key")).toBeVisible();
  await expect(segments).toContainText("$LETTERMILL_API_KEY");
  await page.getByRole("button", { name: "Create a test key" }).click();
  await expect(segments).toContainText(/Bearer sk_test_\w{38}"/);
  const key = /sk_test_\w+/.exec((await segments.textContent()) ?? "")?.[0] ?? "";
  const listed = await fetch(`${product.url}/v1/emails`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(listed.status).toBe(200);

  // It holds for the others, outlives a reload in this tab, and the server does not have it.
  await page
    .getByRole("navigation", { name: "More about Segments" })
    .getByText("Create a segment")
    .click();
  await expect(example("Create a segment")).toContainText(key);
  const again = await page.reload();
  await expect(example("Create a segment")).toContainText(key);
  expect(await again?.text()).not.toContain(key);
  await page.getByRole("button", { name: "Forget the key" }).click();
  await expect(example("Create a segment")).toContainText("$LETTERMILL_API_KEY");

  const unknown = await page.goto(`${reference}/nothing`);
  expect(unknown?.status()).toBe(404);
});

test("a wrong key that was typed is gone once another is used, and when that one is forgotten", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/api-reference/listEmails`);
  const field = page.getByLabel("Your API key");
  const fault = page.getByText("This is not an API key");
  await field.fill("sk_live_wrong");
  await page.getByRole("button", { name: "Use it" }).click();
  await expect(fault).toBeVisible();
  await page.getByRole("button", { name: "Create a test key" }).click();
  await page.getByRole("button", { name: "Forget the key" }).click();
  await expect(field).toHaveValue("");
  await expect(fault).toBeHidden();

  // A valid key is not kept in the field either.
  await field.fill(`sk_live_${"a".repeat(38)}`);
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("button", { name: "Forget the key" }).click();
  await expect(field).toHaveValue("");
});

test("the changelog is read from the file that ships with the product", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/changelog`);
  await expect(page.getByRole("heading", { level: 2, name: "0.1.0 (2026-11-21)" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("POST /v1/send");
});
