import { faults, overflow } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callApi, type Product } from "./product";

const from = "hello@sandbox.test";
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

async function delivered(product: Product, filter: string, count: number) {
  await expect(async () => {
    const { body } = await callApi<{ data: object[] }>(
      product,
      "GET",
      `/v1/emails?status=DELIVERED&${filter}`,
    );
    expect(body.data).toHaveLength(count);
  }).toPass({ timeout: 30_000 });
}

test("the log shows the emails of one template and with one subject", async ({
  dashboard: page,
  product,
}) => {
  const { body: template } = await callApi<{ id: string }>(product, "POST", "/v1/templates", {
    name: "Receipt",
    subject: "Receipt {{ number }}",
    body: "<p>Paid: {{ number }}</p>",
  });
  for (const number of ["1", "2"]) {
    await callApi(product, "POST", "/v1/send", {
      ...{ from, to: `receipt${number}@sandbox.test`, template: template.id, data: { number } },
    });
  }
  await callApi(product, "POST", "/v1/send", {
    ...{ from, to: "alone@sandbox.test", subject: "Receipt 2", body: "<p>By hand</p>" },
  });
  const rows = page.getByRole("table", { name: "Emails" }).locator("tbody tr");

  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/${template.id}`);
  await page.getByRole("link", { name: "Emails" }).last().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Emails");
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("combobox", { name: "Template" })).toHaveText("Receipt");
  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 740 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });

  await rows.filter({ hasText: "receipt2" }).getByRole("link").click();
  await page.getByRole("link", { name: "All emails with this subject" }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "alone" })).toHaveCount(1);
  await expect(page.getByRole("searchbox", { name: "Exact subject" })).toHaveValue("Receipt 2");
  await chooseOption(page.getByRole("combobox", { name: "Template" }), "Receipt");
  await expect(rows).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Exact subject" }).fill("Receipt 3");
  await expect(page.getByRole("heading", { name: "No email matches" })).toBeVisible();
});

test("a search that does not come far at once goes on by itself", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  const subject = "Nightly report";
  const mail = (name: string) => ({
    ...{ from, to: `${name}@sandbox.test`, subject, body: "<p>All is well.</p>" },
  });
  await callApi(product, "POST", "/v1/send", mail("first"));
  await delivered(product, "search=first@", 1);
  // More than one answer searches: ten thousand that wait, before the one that has arrived.
  for (let batch = 0; batch < 100; batch++) {
    const { status } = await callApi(product, "POST", "/v1/emails/batch", {
      emails: Array.from({ length: 100 }, (_, n) => ({
        ...mail(`waits${batch}.${n}`),
        scheduledAt: inAnHour(),
      })),
    });
    expect(status).toBe(200);
  }
  const log = `${product.url}/dashboard/${product.projectId}/emails`;
  const asked = new URLSearchParams({ subject, status: "DELIVERED" }).toString();
  const { body: once } = await callApi<{ data: object[]; searchedTo?: string }>(
    product,
    "GET",
    `/v1/emails?${asked}`,
  );
  expect(once).toMatchObject({ data: [], searchedTo: expect.any(String) });

  await page.goto(`${log}?${asked}`);
  const rows = page.getByRole("table", { name: "Emails" }).locator("tbody tr");
  await expect(rows).toHaveCount(1, { timeout: 20_000 });
  await expect(rows).toContainText("first@sandbox.test");
  await page.goto(`${log}?${asked.replace("DELIVERED", "CLICKED")}`);
  await expect(page.getByRole("heading", { name: "No email matches" })).toBeVisible();
});
