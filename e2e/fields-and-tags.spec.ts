import type { Page } from "@playwright/test";
import { faults } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callApi, type Product } from "./product";

const open = (page: Page, product: Product) =>
  page.goto(`${product.url}/dashboard/${product.projectId}/settings/fields`);

/** Chooses what to do with a field or a tag. */
async function choose(page: Page, name: string, action: RegExp) {
  await page.getByRole("button", { name: `Change ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

const dataOf = async (product: Product, email: string) => {
  const { body } = await callApi<{ data: Record<string, unknown>; tags: string[] }>(
    product,
    "GET",
    `/v1/contacts/${encodeURIComponent(email)}`,
  );
  return { data: body.data, tags: body.tags };
};

test("a field is added before anybody has it, moved, described and renamed with its segment", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  await open(page, product);
  await expect(page.getByText("No custom fields yet")).toBeVisible();
  await page.getByRole("button", { name: "Add a field" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Key").fill("plan.name");
  await dialog.getByRole("button", { name: "Add field" }).click();
  await expect(dialog.getByText("contains a dot")).toBeVisible();
  await dialog.getByLabel("Key").fill("plan");
  await dialog.getByLabel("Description").fill("What they pay for");
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add field" }).dblclick();
  await expect(dialog).toBeHidden();
  const row = (key: string) =>
    page.getByRole("table", { name: "Custom fields" }).getByRole("row", { name: key });
  await expect(row("plan")).toContainText("What they pay for");
  await expect(row("plan")).toContainText("{{ data.plan }}");

  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: [
      { email: "ada@fields.example", data: { plan: "pro", seats: 3 } },
      { email: "bob@fields.example", data: { plan: "free", seats: "three" } },
    ],
  });
  const { body: segment } = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "Who pays",
    filter: { and: [{ field: "data.plan", op: "eq", value: "pro" }] },
  });
  const { status } = await callApi(product, "POST", "/v1/templates", {
    name: "Plan letter",
    subject: "Your plan",
    body: "<p>{{ data.plan }}</p>",
  });
  expect(status).toBe(201);

  await expect(async () => {
    await open(page, product);
    await expect(row("seats")).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 40_000 });
  // A type that values do not fit is kept only when that is accepted.
  await choose(page, "seats", /^Describe/);
  await chooseOption(dialog.getByRole("combobox", { name: "Type" }), "Number");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("1 contact has a value that is not a number")).toBeVisible();
  await dialog.getByRole("checkbox", { name: /Keep the values/ }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(row("seats")).toContainText("1 value does not fit");

  // Moved by the keyboard, which stays where it was.
  const rise = page.getByRole("button", { name: "Move up: seats" });
  await rise.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("seats is now at place 1.")).toBeAttached();
  await expect(page.getByRole("row").nth(1)).toContainText("seats");
  await expect(rise).toBeFocused();

  // Removing is refused while something uses it.
  await choose(page, "plan", /^Remove/);
  await expect(dialog.getByText("is used by the segment Who pays")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Remove field" })).toBeDisabled();
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await choose(page, "plan", /^Rename/);
  await dialog.getByLabel("New name").fill("tier");
  await expect(dialog.getByText("2 people have this field.")).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Who pays" })).toBeVisible();
  await expect(dialog.getByText("Templates to change by hand")).toBeVisible();
  await expect(dialog.getByText("{{ data.plan }}")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Rename" }).dblclick();
  await expect(dialog).toBeHidden();
  const changes = page.getByRole("table", { name: "Last changes" });
  await expect(changes.getByRole("row", { name: "Rename the field plan to tier" })).toContainText(
    "Done",
    { timeout: 30_000 },
  );
  await expect(changes).toContainText("2 people changed");
  await expect(row("tier")).toContainText("What they pay for");
  // The figures follow once they are counted again.
  await expect(row("tier").getByRole("cell").nth(3)).toHaveText("2", { timeout: 30_000 });
  await expect(row("plan")).toHaveCount(0);
  expect((await dataOf(product, "ada@fields.example")).data).toEqual({ tier: "pro", seats: 3 });
  const { body: renamed } = await callApi(product, "GET", `/v1/segments/${segment.id}`);
  expect(renamed).toMatchObject({ filter: { and: [{ field: "data.tier" }] } });
  expect(await faults(page)).toEqual([]);
});

test("a tag is renamed, merged into another one and removed", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  const tag = (name: string) =>
    page.getByRole("table", { name: "Tags" }).getByRole("row", { name });
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: [
      { email: "ada@tags.example", tags: ["VIP", "customer"] },
      { email: "bob@tags.example", tags: ["VIP"] },
    ],
  });
  // What was counted a moment ago is shown again for a moment.
  await expect(async () => {
    await open(page, product);
    await page.getByRole("tab", { name: /^Tags/ }).click();
    await expect(tag("VIP")).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 40_000 });
  const dialog = page.getByRole("dialog");
  const changes = page.getByRole("table", { name: "Last changes" });
  const done = (words: string) =>
    expect(changes.getByRole("row", { name: words })).toContainText("Done", { timeout: 30_000 });

  await choose(page, "VIP", /^Rename/);
  await dialog.getByLabel("New name").fill("regular");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await done("Rename the tag VIP to regular");
  await expect(tag("regular")).toBeVisible({ timeout: 30_000 });

  await choose(page, "regular", /^Rename/);
  await dialog.getByLabel("New name").fill("customer");
  await expect(dialog.getByText("1 person has customer as well")).toBeVisible();
  // Not without saying so.
  await dialog.getByRole("button", { name: "Rename" }).click();
  await expect(dialog.getByRole("alert")).toContainText("customer already");
  await dialog.getByRole("checkbox", { name: "Merge regular into customer" }).click();
  await dialog.getByRole("button", { name: "Rename and merge" }).click();
  await done("Rename the tag regular to customer");
  await expect(tag("regular")).toHaveCount(0, { timeout: 30_000 });
  expect((await dataOf(product, "ada@tags.example")).tags).toEqual(["customer"]);
  expect((await dataOf(product, "bob@tags.example")).tags).toEqual(["customer"]);
  await page.getByRole("link", { name: "2: show contacts with the tag customer" }).click();
  await expect(page).toHaveURL(/\/contacts\?tag=customer$/);

  await open(page, product);
  await page.getByRole("tab", { name: /^Tags/ }).click();
  await choose(page, "customer", /^Remove/);
  await expect(dialog.getByText("2 people have this tag.")).toBeVisible();
  await dialog.getByRole("button", { name: "Remove tag" }).click();
  await done("Remove the tag customer");
  await expect(page.getByText("No tags yet")).toBeVisible({ timeout: 30_000 });
  expect((await dataOf(product, "ada@tags.example")).tags).toEqual([]);
});

test("what a change would touch is asked for again when it could not be read", async ({
  dashboard: page,
  product,
}) => {
  await callApi(product, "PUT", "/v1/contacts/fields/lonely", { kind: "text" });
  await open(page, product);
  await page.route("**/v1/contacts/changes/preview", (route) => route.abort(), { times: 1 });
  await choose(page, "lonely", /^Remove/);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("The server cannot be reached.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Remove field" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(dialog.getByText("Nobody has this field.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Remove field" })).toBeEnabled();
});
