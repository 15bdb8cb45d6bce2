import type { Page } from "@playwright/test";
import { faults } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callApi, type Product } from "./product";

const rowsOf = (page: Page) => page.getByRole("table", { name: "Contacts" }).getByRole("row");

const tagged = async (product: Product, tag: string) => {
  const { body } = await callApi<{ contacts: number }>(
    product,
    "POST",
    "/v1/contacts/changes/preview",
    { action: "untag", name: tag, filter: {} },
  );
  return body.contacts;
};

test("everybody who matches is tagged with progress and a way back, and a list is sorted", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: Array.from({ length: 650 }, (_, at) => ({
      email: `many${String(at).padStart(3, "0")}@match.example`,
    })),
  });
  await callApi(product, "POST", "/v1/contacts", { email: "else@other.example" });
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts?search=match.example`);
  const everybody = page.getByRole("checkbox", { name: "Select everybody on this page" });
  await everybody.click();
  await page.getByRole("button", { name: "Select all 650 that match" }).click();
  await expect(page.getByText("All 650 contacts that match are selected.")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "Tag", exact: true }).click();
  await page.getByRole("menuitem", { name: "Add a tag" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add tag" }).click();
  await expect(dialog.getByText("This is empty.")).toBeVisible();
  await dialog.getByLabel("Tag").fill("fair");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/v1/contacts/changes")) {
      asked.push(request.url());
    }
  });
  await dialog.getByRole("button", { name: "Add tag" }).dblclick();
  await expect(page.getByText("Add the tag fair: done")).toBeVisible({ timeout: 30_000 });
  expect(asked).toHaveLength(1);
  await expect(page.getByText("650 people changed.")).toBeVisible();
  expect(await tagged(product, "fair")).toBe(650);
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Take off the tag fair: done")).toBeVisible({ timeout: 30_000 });
  expect(await tagged(product, "fair")).toBe(0);

  // Few are changed at once. What is suggested does not cover the button.
  const tags = Array.from({ length: 8 }, (_, nth) => `one ${nth}`);
  await callApi(product, "POST", "/v1/contacts", { email: "tagged@else.example", tags });
  // A count of tags is shown for a hundred times as long as it took.
  const counted = () =>
    callApi<{ data: { tag: string }[] }>(product, "GET", "/v1/contacts/tags").then(({ body }) =>
      body.data.filter(({ tag }) => tags.includes(tag)),
    );
  await expect.poll(counted, { timeout: 30_000 }).toHaveLength(8);
  await page.reload();
  await page.getByRole("checkbox", { name: "Select many649@match.example" }).click();
  await page.getByRole("button", { name: "Tag", exact: true }).click();
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith("/v1/contacts/tags")),
    page.getByRole("menuitem", { name: "Add a tag" }).click(),
  ]);
  await expect(dialog.getByLabel("Tag")).toBeFocused();
  await page.keyboard.type("one");
  await expect(page.getByRole("option")).toHaveCount(8);
  await page.locator("button:text('Add tag')").click();
  await expect(page.getByText("1 person changed.")).toBeVisible();

  await page.getByRole("columnheader", { name: "Person" }).getByRole("link").click();
  await expect(page).toHaveURL(/sort=email/);
  await expect(rowsOf(page).nth(1)).toContainText("many000@match.example");
  await expect(page.getByRole("columnheader", { name: "Person" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await page.getByRole("link", { name: "Next" }).click();
  await expect(rowsOf(page).nth(1)).toContainText("many050@match.example");
  await page.getByRole("columnheader", { name: "Person" }).getByRole("link").click();
  await expect(rowsOf(page).nth(1)).toContainText("many649@match.example");
});

test("a file is imported into a list and tagged", async ({ dashboard: page, product }) => {
  test.setTimeout(90_000);
  await page.goto(`${product.url}/dashboard/${product.projectId}/lists/new`);
  await page.getByLabel("Name", { exact: true }).fill("Fair visitors");
  await page.getByLabel("Sender address").fill("letter@sandbox.test");
  await page.getByRole("button", { name: "Create list" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fair visitors");
  await callApi(product, "POST", "/v1/contacts", {
    email: "left@file.example",
    unsubscribed: true,
  });

  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts/import`);
  await page.getByLabel("CSV file").setInputFiles({
    name: "fair.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("email\nada@file.example\neve@file.example\nleft@file.example\n"),
  });
  await chooseOption(page.getByRole("combobox", { name: "List optional" }), "Fair visitors");
  // Not ended by a comma: the press of the button ends it.
  await page.getByLabel("Tags").fill("fair-2026");
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "Start import" }).click();
  await expect(page.getByText("Done", { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("2 people joined")).toContainText("1 person did not");
  await expect(page.getByText("fair-2026")).toBeVisible();
  await page.getByRole("link", { name: "the list", exact: true }).click();
  await expect(page.getByRole("row").filter({ hasText: "ada@file.example" })).toBeVisible();

  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts?search=file.example`);
  await page.getByRole("checkbox", { name: "Select everybody on this page" }).click();
  await page.getByRole("button", { name: "List", exact: true }).click();
  await page.getByRole("menuitem", { name: "Take off a list" }).click();
  const dialog = page.getByRole("dialog");
  await chooseOption(dialog.getByRole("combobox", { name: "List" }), "Fair visitors");
  await dialog.getByRole("button", { name: "Take off list" }).click();
  await expect(page.getByText("2 people changed. 1 person was so already.")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select ada@file.example" }).click();
  await page.getByRole("button", { name: "List", exact: true }).click();
  await page.getByRole("menuitem", { name: "Add to a list" }).click();
  await dialog.getByRole("button", { name: "Add to list" }).click();
  await expect(dialog.getByText("This is required.")).toBeVisible();
  await chooseOption(dialog.getByRole("combobox", { name: "List" }), "Fair visitors");
  await dialog.getByRole("button", { name: "Add to list" }).click();
  await expect(page.getByText("1 person changed.", { exact: true })).toBeVisible();
});
