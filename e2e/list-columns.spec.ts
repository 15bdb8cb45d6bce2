import type { Locator, Page } from "@playwright/test";
import { faults, overflow } from "./axe";
import { expect, test } from "./fixtures";
import { callApi, type Product } from "./product";

const from = "hello@sandbox.test";

const pageOf = (product: Product, path: string) =>
  `${product.url}/dashboard/${product.projectId}/${path}`;

/** The heads of a table that have words to be seen. */
const headsOf = (table: Locator) =>
  table
    .getByRole("columnheader")
    .filter({ hasNot: table.page().getByRole("checkbox"), hasNotText: /^Actions$/ });

/** Presses the named columns in the dialog, with the keyboard alone. */
async function press(page: Page, names: readonly string[]): Promise<void> {
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await expect(dialog).toBeVisible();
  for (const name of names) {
    const column = dialog.getByRole("checkbox", { name, exact: true });
    const wasChecked = await column.isChecked();
    await column.focus();
    await page.keyboard.press("Space");
    await expect(column).toBeChecked({ checked: !wasChecked });
  }
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
}

/** On a phone the page is as wide as the screen, and its table shows the named columns. */
async function expectOnPhone(page: Page, table: Locator, heads: readonly string[]): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(headsOf(table).filter({ visible: true })).toHaveText([...heads]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("the log shows template, sender and provider of each email to a reader who wants them", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  const { body: template } = await callApi<{ id: string }>(product, "POST", "/v1/templates", {
    ...{ name: "Receipt of a column", subject: "Receipt", body: "<p>Paid</p>" },
  });
  await callApi(product, "POST", "/v1/send", {
    ...{ from, to: "receipt@sandbox.test", template: template.id },
  });
  await callApi(product, "POST", "/v1/send", {
    ...{ from, to: "alone@sandbox.test", subject: "Alone", body: "<p>By hand</p>" },
  });
  await page.goto(pageOf(product, "emails"));
  const table = page.getByRole("table", { name: "Emails" });
  const heads = headsOf(table);
  await expect(heads).toHaveText([
    ...["Recipient and subject", "Status", "Source", "Opens", "Clicks", "Accepted"],
  ]);

  await press(page, ["Opens", "Clicks", "Template", "From", "Provider"]);
  const chosen = [
    ...["Recipient and subject", "Status", "Source", "Template", "From", "Provider", "Accepted"],
  ];
  await expect(heads).toHaveText(chosen);
  const receipt = table.getByRole("row").filter({ hasText: "receipt@sandbox.test" });
  await expect(receipt.getByRole("cell").nth(3)).toHaveText("Receipt of a column");
  await expect(receipt.getByRole("cell").nth(4)).toHaveText(from);
  await expect(receipt.getByRole("cell").nth(5)).toHaveText(/\S{2}/);
  const alone = table.getByRole("row").filter({ hasText: "alone@sandbox.test" });
  await expect(alone.getByRole("cell").nth(3)).toHaveText("–");

  // The server's first HTML has them.
  const html = await (await page.request.get(page.url())).text();
  expect(html).toContain("Receipt of a column");
  await page.reload();
  await expect(heads).toHaveText(chosen);

  // What comes in while the page is open has them, too.
  await callApi(product, "POST", "/v1/send", {
    ...{ from, to: "later@sandbox.test", template: template.id },
  });
  const later = table.getByRole("row").filter({ hasText: "later@sandbox.test" });
  await expect(later.getByRole("cell").nth(3)).toHaveText("Receipt of a column", {
    timeout: 20_000,
  });
  expect(await faults(page)).toEqual([]);
  await expectOnPhone(page, table, ["Recipient and subject", "Status"]);

  // They stay whatever the log is filtered by.
  await page.goto(pageOf(product, "emails?status=FAILED&search=receipt"));
  await expect(page.getByRole("heading", { name: "No email matches" })).toBeVisible();
  await page.getByRole("link", { name: "Show all emails" }).click();
  await expect(heads).toHaveText(chosen);
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await dialog.getByRole("button", { name: "The usual ones" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(heads).toHaveText([
    ...["Recipient and subject", "Status", "Source", "Opens", "Clicks", "Accepted"],
  ]);
});

test("campaigns show the rates that the reader wants, and are sorted as before", async ({
  dashboard: page,
  product,
}) => {
  for (const name of ["Column b", "Column a"]) {
    await callApi(product, "POST", "/v1/campaigns", { name, incomplete: true });
  }
  await page.goto(pageOf(product, "campaigns?search=Column"));
  const table = page.getByRole("table", { name: "Campaigns" });
  const heads = headsOf(table);
  await expect(heads).toHaveText([
    ...["Campaign", "Status", "Recipients", /^Opened/, /^Clicked/, "Date"],
  ]);
  await press(page, ["Recipients", "Delivered", "Bounced", "Unsubscribed"]);
  const chosen = [
    ...["Campaign", "Status", "Delivered", /^Opened/, /^Clicked/, "Bounced", /^Unsubscribed/],
    "Date",
  ];
  await expect(heads).toHaveText(chosen);

  // Sorting by a head keeps the columns.
  await heads.filter({ hasText: "Campaign" }).getByRole("link").press("Enter");
  await expect(page).toHaveURL(/sort=name/);
  await expect(table.getByRole("link", { name: /^Column/ })).toHaveText(["Column a", "Column b"]);
  await expect(heads).toHaveText(chosen);
  expect(await faults(page)).toEqual([]);
  await expectOnPhone(page, table, ["Campaign", "Status"]);
});

test("a list's subscribers show the list's own fields, and another list does not", async ({
  dashboard: page,
  product,
}) => {
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(
      `${product.url}/api/dashboard/${product.projectId}/v1/${path}`,
      { headers: { origin: product.url }, data },
    );
    expect(answer.status()).toBe(201);
    return (await answer.json()) as { id: string };
  };
  const make = (name: string) => post("lists", { name, fromEmail: "news@sandbox.test" });
  const [list, other] = [await make("With a field"), await make("Without one")];
  await post(`lists/${list.id}/fields`, { tag: "SHOE", label: "Shoe size", type: "text" });
  await post(`lists/${list.id}/subscribers`, {
    ...{ email: "feet@columns.example", fields: { SHOE: "42" } },
  });
  await post(`lists/${other.id}/subscribers`, { email: "feet@columns.example" });

  await page.goto(pageOf(product, `lists/${list.id}`));
  const table = page.getByRole("table", { name: "Subscribers" });
  const heads = headsOf(table);
  await expect(heads).toHaveText(["Person", "Status", "Joined"]);
  await press(page, ["Came by", "Shoe size"]);
  await expect(heads).toHaveText(["Person", "Status", "Came by", "Shoe size", "Joined"]);
  const row = table.getByRole("row").filter({ hasText: "feet@columns.example" });
  await expect(row.getByRole("cell", { name: "Added by hand" })).toBeVisible();
  await expect(row.getByRole("cell", { name: "42" })).toBeVisible();
  await page.reload();
  await expect(row.getByRole("cell", { name: "42" })).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await expectOnPhone(page, table, ["Person"]);

  await page.goto(pageOf(product, `lists/${other.id}`));
  await expect(heads).toHaveText(["Person", "Status", "Joined"]);
});

test("suppressions leave out what the reader does not want to see", async ({
  dashboard: page,
  product,
}) => {
  await callApi(product, "POST", "/v1/suppressions", { email: "never@columns.example" });
  await page.goto(pageOf(product, "suppressions"));
  const table = page.getByRole("table", { name: "Suppressions" });
  const heads = headsOf(table);
  await press(page, ["What the server said", "Where it comes from"]);
  await expect(heads).toHaveText(["Address or domain", "Reason", "Since"]);
  const row = table.getByRole("row").filter({ hasText: "never@columns.example" });
  await expect(row).toContainText("Added by hand");
  await expect(row.getByText(/^Added with/)).toHaveCount(0);
  expect(await faults(page)).toEqual([]);
  await expectOnPhone(page, table, ["Address or domain"]);
});
