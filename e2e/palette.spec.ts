import type { Page } from "@playwright/test";
import { signInAsViewer } from "./as-viewer";
import { faults } from "./axe";
import { expect, test } from "./fixtures";
import { openPalette } from "./palette";
import { callApi } from "./product";

const look = async (page: Page, text: string) => (await openPalette(page)).fill(text);

const beginnings = [
  ["Add a contact", "contacts", "Add a contact"],
  ["Create a campaign", "campaigns", "Create a campaign"],
  ["Suppress an address", "suppressions", "Suppress an address or a domain"],
  ["Add a file from the web", "media", "Add a file from the web"],
  ["Add a domain", "domains", "Add a sending domain"],
  ["Create an API key", "api-keys", "Create an API key"],
  ["Add a webhook", "webhooks", "Add a webhook"],
  ["Add a sending connection", "settings/connections", "Add a connection"],
  ["Add an inbound route", "inbound/routes", "Add a route"],
  ["Invite somebody", "settings/members", "Invite somebody"],
] as const;

test("the palette's actions open the page with its dialog, which is asked for once", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  const project = `${product.url}/dashboard/${product.projectId}`;
  await page.goto(project);
  for (const [action, path, title] of beginnings) {
    await look(page, action);
    await page.getByRole("option", { name: action, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: title, exact: true });
    await expect(dialog, action).toBeVisible();
    // An empty page has the same button twice.
    await expect(dialog).toHaveCount(1);
    await expect(page).toHaveURL(`${project}/${path}?new`);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(`${project}/${path}`);
  }

  // On the page itself; back closes the dialog, and a reload does not ask again.
  await page.goto(`${project}/contacts`);
  const dialog = page.getByRole("dialog", { name: "Add a contact" });
  await look(page, "Add a contact");
  await page.getByRole("option", { name: "Add a contact", exact: true }).click();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`${project}/contacts`);
  await page.goForward();
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contacts");
  await expect(dialog).toBeHidden();

  // What was made is not asked for again on the way back.
  await page.goto(`${project}/contacts?new`);
  await dialog.getByLabel("Email").fill("ada@palette.example");
  await dialog.getByRole("button", { name: "Add contact" }).click();
  await expect(page).toHaveURL(/\/contacts\/con_/);
  await page.goBack();
  await expect(page).toHaveURL(`${project}/contacts`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contacts");
  await expect(dialog).toBeHidden();
});

test("who only looks is offered nothing to begin, and an address that asks opens nothing", async ({
  product,
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signInAsViewer(page, product, "viewer+palette@example.com");
  await look(page, "add");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expect(page.getByRole("option", { name: "Add a contact" })).toHaveCount(0);
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts?new`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contacts");
  await page.mouse.move(10, 10);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await context.close();
});

test("whatever has a name is found by it, and leads to where it is", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  const project = `${product.url}/dashboard/${product.projectId}`;
  const make = async (path: string, body: unknown) =>
    (await callApi<{ id: string }>(product, "POST", path, body)).body.id;
  const list = (await page.request
    .post(`${product.url}/api/dashboard/${product.projectId}/v1/lists`, {
      headers: { origin: product.url },
      data: { name: "Numbat news", fromEmail: "news@sandbox.test" },
    })
    .then((answer) => answer.json())) as { id: string };
  const form = await make("/v1/forms", { name: "Numbat form" });
  const domain = await make("/v1/domains", { name: "numbat.example" });
  const webhook = await make("/v1/webhooks", { url: "https://numbat.example/in", events: ["*"] });
  const campaign = await make("/v1/campaigns", { name: "Numbat campaign", incomplete: true });
  await make("/v1/topics", { name: "Numbats" });
  await page.goto(project);
  for (const [name, path] of [
    ["Numbat news", `lists/${list.id}`],
    ["Numbat form", `forms/${form}`],
    ["numbat.example", `domains/${domain}`],
    ["https://numbat.example/in", `webhooks/${webhook}`],
    ["Numbat campaign", `campaigns/${campaign}`],
    ["Numbats", "settings/topics"],
  ] as const) {
    await look(page, "numbat");
    await page.getByRole("option", { name, exact: true }).click();
    await expect(page).toHaveURL(`${project}/${path}`);
  }
});

test("the keyboard's shortcuts are listed, from the palette and from the account's menu", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}`);
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await look(page, "shortcuts");
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("Ctrl Enter");
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expect(dialog).toContainText("Ctrl K");
});
