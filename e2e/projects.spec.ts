import { readFile } from "node:fs/promises";
import { readZip } from "@/lib/testing/zip";
import { totpCode } from "@/lib/domain/users/totp";
import { callApi } from "./product";
import { faults } from "./axe";
import { expect, signIn, test } from "./fixtures";

test("an owner makes a project, renames it, and deletes it again by its name", async ({
  page,
  product,
}) => {
  // Signed in a moment ago: without a password there is no other way to show who one is.
  await signIn(page, product);
  const first = page.url();
  await page.getByRole("button", { name: /^Project:/ }).click();
  await page.getByRole("menuitem", { name: "New project" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog.getByText("is empty")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await dialog.getByLabel("Name").fill("Second shop");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("button", { name: "Project: Second shop" })).toBeVisible();
  expect(page.url()).not.toBe(first);
  const second = page.url().match(/prj_\w+/)?.[0] ?? "";

  await page.goto(`${product.url}/dashboard/${second}/settings`);
  await page.getByLabel("Project name").fill("Tea shop");
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await expect(page.getByRole("button", { name: "Project: Tea shop" })).toBeVisible();

  await page.getByRole("button", { name: "Delete project" }).click();
  await dialog.getByLabel("Name of the project").fill("tea");
  await dialog.getByRole("button", { name: "Delete project" }).click();
  await expect(dialog.getByText("is not the project’s name")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await dialog.getByLabel("Name of the project").fill("Tea shop");
  await dialog.getByRole("button", { name: "Delete project" }).click();
  await expect(page.getByText("Tea shop was deleted")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(product.projectId));
  await page.getByRole("button", { name: /^Project:/ }).click();
  await expect(page.getByRole("menuitem", { name: "New project" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: /Tea shop/ })).toHaveCount(0);
  const answer = await page.request.get(`${product.url}/api/dashboard/${second}/v1/project`);
  expect(answer.status()).toBe(404);
  // The other project goes on.
  expect((await callApi(product, "GET", "/v1/contacts")).status).toBe(200);
});

test("the only project that somebody owns stays, and the page says what to do", async ({
  page,
  product,
}) => {
  await signIn(page, product);
  await page.goto(`${product.url}/dashboard/${product.projectId}/settings`);
  await page.getByRole("button", { name: "Delete project" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name of the project").fill("My project");
  await dialog.getByRole("button", { name: "Delete project" }).click();
  await expect(dialog.getByRole("alert")).toContainText("create another one first");
});

test("who lacks the two-step sign-in that a project asks for is led to it before anything else", async ({
  page,
  product,
}) => {
  const settings = `${product.url}/dashboard/${product.projectId}/settings`;
  const dialog = page.getByRole("dialog");
  const switchOn = async () => {
    await page.getByRole("button", { name: "Switch on two-step sign-in" }).click();
    const secret = (await dialog.locator("code").textContent()) ?? "";
    const code = totpCode(secret, Math.floor(Date.now() / 30_000));
    await dialog.getByLabel("Code", { exact: true }).fill(code);
    await dialog.getByRole("button", { name: "Switch on" }).click();
    const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    const first = (await codes.first().textContent()) ?? "";
    await dialog.getByRole("button", { name: "I have kept them" }).click();
    return first;
  };
  await signIn(page, product);
  await page.goto(settings);
  const condition = page.getByRole("switch", { name: /Members need two-step sign-in/ });
  await condition.click();
  await expect(page.getByText(/needs your own two-step sign-in to be on first/)).toBeVisible();
  await expect(condition).not.toBeChecked();
  const recovery = await switchOn();
  await condition.click();
  await expect(condition).toBeChecked();

  await page.getByRole("button", { name: "Switch off" }).click();
  await dialog.getByLabel("Code", { exact: true }).fill(recovery);
  await dialog.getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByText("Two-step sign-in is off")).toBeVisible();
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("One thing first");
  const contacts = `${product.url}/api/dashboard/${product.projectId}/v1/contacts`;
  expect((await page.request.get(contacts)).status()).toBe(403);
  expect((await callApi(product, "GET", "/v1/contacts")).status).toBe(200);
  expect(await faults(page)).toEqual([]);
  const last = await switchOn();
  await page.getByRole("link", { name: "Go on to the project" }).click();
  await expect(page).toHaveURL(`${product.url}/dashboard/${product.projectId}`);
  expect((await page.request.get(contacts)).status()).toBe(200);

  // Other journeys use the same product, and sign in without a code.
  await page.goto(settings);
  await condition.click();
  await expect(condition).not.toBeChecked();
  await page.getByRole("button", { name: "Switch off" }).click();
  await dialog.getByLabel("Code", { exact: true }).fill(last);
  await dialog.getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByText("Two-step sign-in is off")).toBeVisible();
});

test("the whole project is downloaded as one file, with everybody and without secrets", async ({
  dashboard: page,
  product,
}) => {
  await callApi(product, "POST", "/v1/contacts", { email: "ada@export.example", firstName: "Ada" });
  await callApi(product, "POST", "/v1/topics", { name: "Product news" });
  await page.goto(`${product.url}/dashboard/${product.projectId}/settings`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export the project" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("project.zip");
  const bytes = await readFile(await download.path());
  const files = readZip(bytes);
  expect(files.get("contacts.ndjson")).toContain("ada@export.example");
  expect(files.get("topics.ndjson")).toContain("Product news");
  expect(JSON.parse(files.get("manifest.json") ?? "{}")).toMatchObject({
    project: product.projectId,
  });
  expect(bytes.toString("latin1")).not.toMatch(/sk_live_\w{20}|whsec_|PRIVATE KEY/);
  await page.goto(`${product.url}/dashboard/${product.projectId}/settings/audit`);
  await expect(page.getByText(/exported the project/).first()).toBeVisible();
});
