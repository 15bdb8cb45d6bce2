import type { Page } from "@playwright/test";
import { faults } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callApi, type Product } from "./product";

/** Makes something by the API of the dashboard; its id. */
async function make(page: Page, product: Product, path: string, data: object): Promise<string> {
  const answer = await page.request.post(
    `${product.url}/api/dashboard/${product.projectId}/v1/${path}`,
    { headers: { origin: product.url }, data },
  );
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

const template = (name: string) => ({ name, subject: "Hi", body: "<p>Hi</p>" });

test("several templates are deleted at once, and those that are in use stay and say why", async ({
  dashboard: page,
  product,
}) => {
  const used = await make(page, product, "templates", template("Used"));
  await make(page, product, "templates", template("Old 1"));
  await make(page, product, "templates", template("Old 2"));
  await make(page, product, "lists", {
    ...{ name: "Welcoming", fromEmail: "news@sandbox.test" },
    ...{ sendWelcomeEmail: true, welcomeTemplateId: used },
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates`);
  const bar = page.getByRole("toolbar", { name: "Selected templates" });
  await expect(bar).toContainText("Select templates to delete several at once.");
  // The checkbox does not open the template.
  await page.getByRole("checkbox", { name: "Select Old 1" }).click();
  await expect(bar).toContainText("1 selected");
  await page.getByRole("checkbox", { name: "Select all templates on this page" }).click();
  await expect(bar).toContainText("3 selected");
  expect(await faults(page)).toEqual([]);
  await bar.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Delete 3 templates?");
  await dialog.getByRole("button", { name: "Delete 3 templates" }).dblclick();
  await expect(dialog).toContainText("2 templates deleted");
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expect(dialog.getByRole("listitem")).toContainText("Used");
  await expect(dialog.getByRole("listitem")).toContainText("Welcoming");
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Used" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Old/ })).toHaveCount(0);
  await expect(bar).toContainText("Select templates");
});

test("templates that were deleted several at once come back", async ({
  dashboard: page,
  product,
}) => {
  await make(page, product, "templates", template("Back 1"));
  await make(page, product, "templates", template("Back 2"));
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates`);
  const bar = page.getByRole("toolbar", { name: "Selected templates" });
  await page.getByRole("checkbox", { name: "Select Back 1" }).click();
  await page.getByRole("checkbox", { name: "Select Back 2" }).click();
  await expect(bar).toContainText("2 selected");
  await bar.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete 2 templates" }).click();
  await expect(page.getByText("2 templates deleted")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Back/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Back/ })).toHaveCount(2);
});

test("campaigns are deleted at once where they may be", async ({ dashboard: page, product }) => {
  for (const name of ["Draft 1", "Draft 2", "Planned"]) {
    const id = await make(page, product, "campaigns", {
      ...{ name, subject: "Hi", from: "news@sandbox.test", body: "<p>Hi</p>" },
    });
    if (name !== "Planned") continue;
    await callApi(product, "POST", `/v1/campaigns/${id}/schedule`, {
      scheduledAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    });
  }
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns`);
  const bar = page.getByRole("toolbar", { name: "Selected campaigns" });
  for (const name of ["Draft 1", "Draft 2", "Planned"]) {
    await page.getByRole("checkbox", { name: `Select ${name}` }).click();
  }
  await bar.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1 other that you selected is in another state and stays.");
  await dialog.getByRole("button", { name: "Delete 2 campaigns" }).click();
  await expect(page.getByText("2 campaigns deleted")).toBeVisible();
  await expect(page.getByRole("link", { name: "Planned" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Select Planned" }).click();
  await expect(bar.getByRole("button", { name: "Delete" })).toHaveCount(0);
  await bar.getByRole("button", { name: "Cancel campaigns" }).click();
  await dialog.getByRole("button", { name: "Cancel 1 campaign" }).click();
  await expect(page.getByText("1 campaign cancelled")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Planned" })).toContainText("Cancelled");
});

test("several subscribers are unsubscribed, taken back, tagged and removed", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(90_000);
  const list = await make(page, product, "lists", {
    name: "Many",
    fromEmail: "news@sandbox.test",
  });
  for (const name of ["ada", "bob"]) {
    await make(page, product, `lists/${list}/subscribers`, { email: `${name}@members.example` });
  }
  await page.goto(`${product.url}/dashboard/${product.projectId}/lists/${list}`);
  const bar = page.getByRole("toolbar", { name: "Selected subscribers" });
  const dialog = page.getByRole("dialog");
  const everybody = page.getByRole("checkbox", { name: "Select all subscribers on this page" });
  const row = (name: string) =>
    page.getByRole("row").filter({ hasText: `${name}@members.example` });
  await everybody.click();
  await bar.getByRole("button", { name: "Unsubscribe" }).click();
  await dialog.getByRole("button", { name: "Unsubscribe 2 subscribers" }).click();
  await expect(page.getByText("2 subscribers unsubscribed")).toBeVisible();
  await expect(row("ada")).toContainText("Unsubscribed");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone")).toBeVisible();
  await expect(row("ada")).not.toContainText("Unsubscribed");
  await expect(row("bob")).not.toContainText("Unsubscribed");

  await everybody.click();
  await bar.getByRole("button", { name: "Tag", exact: true }).click();
  await dialog.getByLabel("Tag").fill("member");
  await page.locator("button:text('Add tag')").click();
  await expect(page.getByText("2 people changed.")).toBeVisible();
  const { body } = await callApi<{ contacts: number }>(
    product,
    "POST",
    "/v1/contacts/changes/preview",
    { action: "untag", name: "member", filter: {} },
  );
  expect(body.contacts).toBe(2);

  await page.getByRole("checkbox", { name: "Select bob@members.example" }).click();
  await bar.getByRole("button", { name: "Remove from list" }).click();
  await dialog.getByRole("button", { name: "Remove 1 subscriber" }).click();
  await expect(page.getByText("1 subscriber removed from the list")).toBeVisible();
  await expect(row("bob")).toHaveCount(0);
  await expect(row("ada")).toBeVisible();
});

test("several suppressions are lifted, and adding one is undone", async ({
  dashboard: page,
  product,
}) => {
  for (const name of ["one", "two"]) {
    await callApi(product, "POST", "/v1/suppressions", { email: `${name}@lifted.example` });
  }
  await page.goto(`${product.url}/dashboard/${product.projectId}/suppressions?search=lifted`);
  const dialog = page.getByRole("dialog");
  await page.getByRole("checkbox", { name: "Select all suppressions on this page" }).click();
  const bar = page.getByRole("toolbar", { name: "Selected suppressions" });
  await bar.getByRole("button", { name: "Lift" }).click();
  await dialog.getByRole("button", { name: "Lift 2 suppressions" }).click();
  await expect(page.getByText("2 suppressions lifted")).toBeVisible();
  await expect(page.getByText("No suppression matches")).toBeVisible();

  const add = async () => {
    await page.getByRole("button", { name: "Suppress an address" }).first().click();
    await dialog.getByLabel("Address or domain").fill("three@lifted.example");
    await dialog.getByRole("button", { name: "Suppress", exact: true }).click();
  };
  const row = page.getByRole("row").filter({ hasText: "three@lifted.example" });
  await add();
  await expect(row).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Mail may be sent to three@lifted.example again")).toBeVisible();
  await expect(row).toHaveCount(0);
  // What was there before is not taken away by an undo.
  await callApi(product, "POST", "/v1/suppressions", { email: "three@lifted.example" });
  await page.reload();
  await add();
  await expect(page.getByText("three@lifted.example was already suppressed")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
});

test("captured messages and files are deleted several at once", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(90_000);
  const home = `${product.url}/dashboard/${product.projectId}`;
  for (const subject of ["Bulk 1", "Bulk 2", "Bulk 3"]) {
    await callApi(product, "POST", "/v1/send", {
      ...{ from: "hello@sandbox.test", to: "ada@bulk.example", subject, body: "<p>Hi</p>" },
    });
  }
  await page.goto(`${home}/captured?search=Bulk`);
  const dialog = page.getByRole("dialog");
  // The mailbox asks again by itself until they are there.
  for (const subject of ["Bulk 1", "Bulk 2"]) {
    await page.getByRole("checkbox", { name: `Select ${subject}` }).click({ timeout: 20_000 });
  }
  await expect(page.getByRole("link", { name: "Bulk 3" })).toBeVisible({ timeout: 20_000 });
  await page
    .getByRole("toolbar", { name: "Selected messages" })
    .getByRole("button", { name: "Delete" })
    .click();
  await dialog.getByRole("button", { name: "Delete 2 messages" }).click();
  await expect(page.getByText("2 messages deleted")).toBeVisible();
  await expect(page.getByRole("table").getByRole("link", { name: /^Bulk/ })).toHaveText(["Bulk 3"]);

  const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  await page.goto(`${home}/media`);
  await page.getByLabel("Files to upload").setInputFiles(
    ["c.png", "a.png", "b.png"].map((name) => ({
      ...{ name, mimeType: "image/png", buffer: Buffer.concat([png, Buffer.from(name)]) },
    })),
  );
  const files = page.getByRole("list", { name: "Files", exact: true }).getByRole("listitem");
  await expect(files).toHaveCount(3);
  await chooseOption(page.getByRole("combobox", { name: "Order" }), "By name");
  await expect(page).toHaveURL(/sort=name/);
  await expect(files.first()).toContainText("a.png");
  await page.getByRole("checkbox", { name: "Select a.png" }).click();
  await page.getByRole("checkbox", { name: "Select c.png" }).click();
  expect(await faults(page)).toEqual([]);
  await page
    .getByRole("toolbar", { name: "Selected files" })
    .getByRole("button", { name: "Delete" })
    .click();
  await dialog.getByRole("button", { name: "Delete 2 files" }).click();
  await expect(page.getByText("2 files deleted")).toBeVisible();
  await expect(files).toHaveCount(1);
  await expect(files).toContainText("b.png");
});
