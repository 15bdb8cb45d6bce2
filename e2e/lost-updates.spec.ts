import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { callApi, type Product } from "./product";

interface Draft {
  id: string;
  name: string;
  subject: string;
  previewText: string;
  body: string | null;
}

async function newDraft(product: Product, name: string): Promise<{ id: string; url: string }> {
  const { body } = await callApi<Draft>(product, "POST", "/v1/campaigns", {
    name,
    subject: "First subject",
    body: "<p>First body</p>",
    incomplete: true,
  });
  return {
    id: body.id,
    url: `${product.url}/dashboard/${product.projectId}/campaigns/${body.id}`,
  };
}

const subjectOf = (page: Page) => page.getByRole("textbox", { name: "Subject", exact: true });
const previewTextOf = (page: Page) => page.getByRole("textbox", { name: /Preview text/ });
const saved = (page: Page) => page.getByText("Saved", { exact: true });
const stored = async (product: Product, id: string) =>
  (await callApi<Draft>(product, "GET", `/v1/campaigns/${id}`)).body;

test("two tabs of a composer keep each other's fields, and show both texts of the same one", async ({
  dashboard: page,
  product,
}) => {
  const { id, url } = await newDraft(product, "Two tabs");
  await page.goto(url);
  const otherTab = await page.context().newPage();
  await otherTab.goto(url);
  await expect(subjectOf(otherTab)).toHaveValue("First subject");

  // Different fields: both stay.
  await subjectOf(page).fill("Subject of the first tab");
  await expect(saved(page)).toBeVisible();
  await previewTextOf(otherTab).fill("Preview of the second tab");
  await expect(saved(otherTab)).toBeVisible();
  expect(await stored(product, id)).toMatchObject({
    subject: "Subject of the first tab",
    previewText: "Preview of the second tab",
    body: "<p>First body</p>",
  });
  await expect(subjectOf(otherTab)).toHaveValue("Subject of the first tab");

  // The same field: nothing is saved before somebody chooses.
  await subjectOf(otherTab).fill("Written by the second");
  await expect(saved(otherTab)).toBeVisible();
  await subjectOf(page).fill("Written by the first");
  const conflict = page.getByRole("region", { name: "Conflicting changes" });
  await expect(conflict).toContainText("Written by the first");
  await expect(conflict).toContainText("Written by the second");
  expect((await stored(product, id)).subject).toBe("Written by the second");
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await expect(conflict).toHaveCount(0);
  await expect(saved(page)).toBeVisible();
  expect((await stored(product, id)).subject).toBe("Written by the first");

  await subjectOf(otherTab).fill("Once more by the second");
  await expect(otherTab.getByRole("region", { name: "Conflicting changes" })).toBeVisible();
  await otherTab.getByRole("button", { name: "Take theirs" }).click();
  await expect(subjectOf(otherTab)).toHaveValue("Written by the first");
  await expect(saved(otherTab)).toBeVisible();
  expect((await stored(product, id)).subject).toBe("Written by the first");
  await otherTab.close();
});

test("what was typed right before Back, or before going elsewhere by the palette, is saved", async ({
  dashboard: page,
  product,
}) => {
  const { id, url } = await newDraft(product, "Left at once");
  const list = `${product.url}/dashboard/${product.projectId}/campaigns`;
  await page.goto(list);
  await page.getByRole("link", { name: "Left at once" }).click();
  await expect(page).toHaveURL(url);
  await subjectOf(page).fill("Typed before Back");
  await page.goBack();
  await expect(page).toHaveURL(list);
  await expect.poll(async () => (await stored(product, id)).subject).toBe("Typed before Back");
  await page.goForward();
  await expect(subjectOf(page)).toHaveValue("Typed before Back");

  await subjectOf(page).fill("Typed before the palette");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Domains");
  await page.getByRole("option", { name: "Domains" }).first().click();
  await expect(page).toHaveURL(/\/domains$/);
  await expect
    .poll(async () => (await stored(product, id)).subject)
    .toBe("Typed before the palette");
});

test("while the server is away what is written waits: it is saved on its return, or offered after a reload", async ({
  dashboard: page,
  product,
}) => {
  const { id, url } = await newDraft(product, "Server away");
  await page.goto(url);
  let away = true;
  await page.route("**/v1/campaigns/cmp_*", (route) =>
    away && route.request().method() === "PATCH"
      ? route.fulfill({ status: 503, body: "away" })
      : route.fallback(),
  );
  await subjectOf(page).fill("Written while it was away");
  await expect(page.getByText("Not saved", { exact: true })).toBeVisible();
  away = false;
  await expect(saved(page)).toBeVisible({ timeout: 15_000 });
  expect((await stored(product, id)).subject).toBe("Written while it was away");

  away = true;
  await subjectOf(page).fill("Written and never sent");
  await expect(page.getByText("Not saved", { exact: true })).toBeVisible();
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  away = false;
  await expect(subjectOf(page)).toHaveValue("Written while it was away");
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(subjectOf(page)).toHaveValue("Written and never sent");
  await expect(saved(page)).toBeVisible();
  expect((await stored(product, id)).subject).toBe("Written and never sent");
  await page.reload();
  await expect(subjectOf(page)).toHaveValue("Written and never sent");
  await expect(page.getByRole("button", { name: "Restore", exact: true })).toHaveCount(0);
});

test("two tabs of a template do not revert each other, and unsaved writing is offered on return", async ({
  dashboard: page,
  product,
}) => {
  const template = await callApi<{ id: string }>(product, "POST", "/v1/templates", {
    name: "Shared",
    subject: "First subject",
    body: "<p>First body</p>",
  });
  const path = `/v1/templates/${template.body.id}`;
  const url = `${product.url}/dashboard/${product.projectId}/templates/${template.body.id}`;
  const stored = async () => (await callApi<Draft>(product, "GET", path)).body;
  await page.goto(url);
  const otherTab = await page.context().newPage();
  await otherTab.goto(url);

  await subjectOf(page).fill("Subject of the first tab");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  await otherTab.getByLabel("Name", { exact: true }).fill("Named by the second");
  await otherTab.getByRole("button", { name: "Save", exact: true }).click();
  await expect(otherTab.getByText("Saved as version 3")).toBeVisible();
  expect(await stored()).toMatchObject({
    name: "Named by the second",
    subject: "Subject of the first tab",
  });

  await subjectOf(page).fill("Again by the first");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved as version 4")).toBeVisible();
  await subjectOf(otherTab).fill("Again by the second");
  await otherTab.getByRole("button", { name: "Save", exact: true }).click();
  const conflict = otherTab.getByRole("region", { name: "Conflicting changes" });
  await expect(conflict).toContainText("Again by the first");
  await expect(conflict).toContainText("Again by the second");
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await otherTab.getByRole("button", { name: "Save", exact: true }).click();
  await expect(otherTab.getByText("Saved as version 5")).toBeVisible();
  expect((await stored()).subject).toBe("Again by the second");
  await otherTab.close();

  await page.reload();
  await subjectOf(page).fill("Never saved");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(subjectOf(page)).toHaveValue("Never saved");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved as version 6")).toBeVisible();
  expect((await stored()).subject).toBe("Never saved");
});

test("two tabs of a list keep each other's fields, show both texts of the same one, and keep what was not sent", async ({
  dashboard: page,
  product,
}) => {
  const lists = `${product.url}/api/dashboard/${product.projectId}/v1/lists`;
  const created = await page.request.post(lists, {
    headers: { origin: product.url },
    data: { name: "Shared list", fromName: "First sender", fromEmail: "news@sandbox.test" },
  });
  expect(created.status()).toBe(201);
  const { id } = (await created.json()) as { id: string };
  const stored = async () =>
    (await (await page.request.get(`${lists}/${id}`)).json()) as { name: string; fromName: string };
  const url = `${product.url}/dashboard/${product.projectId}/lists/${id}/settings`;
  await page.goto(url);
  const otherTab = await page.context().newPage();
  await otherTab.goto(url);
  const nameIn = (tab: Page) => tab.getByRole("textbox", { name: "Name", exact: true });
  const senderIn = (tab: Page) => tab.getByRole("textbox", { name: /^Sender name/ });
  const saveIn = async (tab: Page) => {
    await tab.getByRole("button", { name: "Save changes" }).click();
  };

  await nameIn(otherTab).fill("Named by the second");
  await nameIn(page).fill("Named by the first");
  await saveIn(page);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await senderIn(otherTab).fill("Sender of the second");
  await saveIn(otherTab);
  const conflict = otherTab.getByRole("region", { name: "Conflicting changes" });
  await expect(conflict).toContainText("Named by the first");
  await expect(conflict).toContainText("Named by the second");
  expect(await stored()).toMatchObject({ name: "Named by the first", fromName: "First sender" });
  await conflict.getByRole("button", { name: "Take theirs" }).click();
  await saveIn(otherTab);
  await expect
    .poll(stored)
    .toMatchObject({ name: "Named by the first", fromName: "Sender of the second" });

  await nameIn(otherTab).fill("Never sent");
  otherTab.once("dialog", (dialog) => void dialog.accept());
  await otherTab.reload();
  await otherTab.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(nameIn(otherTab)).toHaveValue("Never sent");
  await saveIn(otherTab);
  await expect.poll(stored).toMatchObject({ name: "Never sent", fromName: "Sender of the second" });
  await otherTab.close();
});

test("two tabs of a segment do not revert each other", async ({ dashboard: page, product }) => {
  const { body: segment } = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "Shared segment",
    filter: { and: [{ field: "email", op: "contains", value: "first" }] },
  });
  const stored = async () =>
    (await callApi<object>(product, "GET", `/v1/segments/${segment.id}`)).body;
  const url = `${product.url}/dashboard/${product.projectId}/segments/${segment.id}`;
  await page.goto(url);
  const otherTab = await page.context().newPage();
  await otherTab.goto(url);
  const nameIn = (tab: Page) => tab.getByRole("textbox", { name: "Name", exact: true });
  const valueIn = (tab: Page) => tab.getByRole("combobox", { name: "Value" });
  const save = (tab: Page) => tab.getByRole("button", { name: "Save", exact: true }).click();

  await nameIn(page).fill("Named by the first");
  await valueIn(otherTab).fill("second");
  await save(page);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await save(otherTab);
  const filter = (value: string) => ({ and: [{ field: "email", op: "contains", value }] });
  await expect.poll(stored).toMatchObject({ name: "Named by the first", filter: filter("second") });

  await valueIn(page).fill("third");
  await save(page);
  const conflict = page.getByRole("region", { name: "Conflicting changes" });
  await expect(conflict).toContainText("third");
  await expect(conflict).toContainText("second");
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await save(page);
  await expect.poll(stored).toMatchObject({ name: "Named by the first", filter: filter("third") });
  await otherTab.close();
});

test("two tabs of a contact keep each other's fields and attributes, and show both texts of the same one", async ({
  dashboard: page,
  product,
}) => {
  const { body: contact } = await callApi<{ id: string }>(product, "POST", "/v1/contacts", {
    email: "shared@contacts.example",
    firstName: "First",
    data: { plan: "pro", city: "Bonn" },
  });
  const stored = async () =>
    (await callApi<object>(product, "GET", `/v1/contacts/${contact.id}`)).body;
  const url = `${product.url}/dashboard/${product.projectId}/contacts/${contact.id}`;
  await page.goto(url);
  const otherTab = await page.context().newPage();
  await otherTab.goto(url);
  const field = (tab: Page, name: string) => tab.getByRole("textbox", { name, exact: true });
  const attribute = (tab: Page, name: string) => tab.getByLabel(`Value of ${name}`);
  const save = (tab: Page) => tab.getByRole("button", { name: "Save changes" }).click();

  // Different fields and attributes: both stay.
  await field(otherTab, "Last name").fill("Of the second");
  await attribute(otherTab, "city").fill("Köln");
  await field(page, "First name").fill("Of the first");
  await attribute(page, "plan").fill("team");
  await save(page);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await save(otherTab);
  await expect(otherTab.getByText("Saved", { exact: true })).toBeVisible();
  expect(await stored()).toMatchObject({
    firstName: "Of the first",
    lastName: "Of the second",
    data: { plan: "team", city: "Köln" },
  });

  // The same one: nothing is saved before somebody chooses.
  await attribute(page, "plan").fill("free");
  await field(page, "First name").fill("Still of the first");
  await attribute(otherTab, "plan").fill("big");
  await save(otherTab);
  await expect.poll(stored).toMatchObject({ data: { plan: "big" } });
  await save(page);
  const conflict = page.getByRole("region", { name: "Conflicting changes" });
  await expect(conflict).toContainText("free");
  await expect(conflict).toContainText("big");
  expect(await stored()).toMatchObject({ firstName: "Of the first", data: { plan: "big" } });
  await conflict.getByRole("button", { name: "Take theirs" }).click();
  await expect(attribute(page, "plan")).toHaveValue("big");
  await save(page);
  await expect
    .poll(stored)
    .toMatchObject({ firstName: "Still of the first", data: { plan: "big", city: "Köln" } });
  await otherTab.close();
});

test("two dialogs of a subscriber show both texts of a field, and the chosen one is kept", async ({
  dashboard: page,
  product,
}) => {
  const api = `${product.url}/api/dashboard/${product.projectId}/v1`;
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${api}${path}`, {
      headers: { origin: product.url },
      data,
    });
    expect(answer.status()).toBe(201);
    return (await answer.json()) as { id: string };
  };
  const list = await post("/lists", { name: "Members", fromEmail: "news@sandbox.test" });
  await post(`/lists/${list.id}/fields`, { type: "text", label: "Company", tag: "COMPANY" });
  const member = await post(`/lists/${list.id}/subscribers`, { email: "member@lists.example" });
  const stored = async () =>
    (await (await page.request.get(`${api}/subscribers/${member.id}`)).json()) as object;
  const open = async (tab: Page) => {
    await tab.goto(`${product.url}/dashboard/${product.projectId}/lists/${list.id}`);
    await tab.getByRole("button", { name: /member@lists\.example/ }).click();
    await tab.getByRole("menuitem", { name: "Edit" }).click();
    return tab.getByRole("dialog");
  };
  const otherTab = await page.context().newPage();
  const [mine, theirs] = [await open(page), await open(otherTab)];
  await theirs.getByLabel("Company").fill("Theirs Ltd");
  await theirs.getByLabel("First name").fill("Grace");
  await theirs.getByRole("button", { name: "Save changes" }).click();
  await expect(theirs).toHaveCount(0);
  await mine.getByLabel("Company").fill("Mine Ltd");
  await mine.getByLabel("Last name").fill("Hopper");
  await mine.getByRole("button", { name: "Save changes" }).click();
  const conflict = mine.getByRole("region", { name: "Conflicting changes" });
  await expect(conflict).toContainText("Mine Ltd");
  await expect(conflict).toContainText("Theirs Ltd");
  expect(await stored()).toMatchObject({ lastName: "", fields: { COMPANY: "Theirs Ltd" } });
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await mine.getByRole("button", { name: "Save changes" }).click();
  await expect(mine).toHaveCount(0);
  expect(await stored()).toMatchObject({
    firstName: "Grace",
    lastName: "Hopper",
    fields: { COMPANY: "Mine Ltd" },
  });
  await otherTab.close();
});

test("two dialogs of a webhook keep each other's fields, and show both texts of the same one", async ({
  dashboard: page,
  product,
}) => {
  const { body: webhook } = await callApi<{ id: string }>(product, "POST", "/v1/webhooks", {
    url: "http://127.0.0.1:9/first",
    events: ["email.delivered"],
  });
  const stored = async () =>
    (await callApi<object>(product, "GET", `/v1/webhooks/${webhook.id}`)).body;
  const open = async (tab: Page) => {
    await tab.goto(`${product.url}/dashboard/${product.projectId}/webhooks/${webhook.id}`);
    await tab.getByRole("button", { name: "Edit" }).click();
    return tab.getByRole("dialog", { name: "Edit webhook" });
  };
  const save = (dialog: Locator) =>
    dialog.getByRole("button", { name: "Save", exact: true }).click();
  const otherTab = await page.context().newPage();

  // Different fields: both stay.
  let [mine, theirs] = [await open(page), await open(otherTab)];
  await theirs.getByLabel("Address").fill("http://127.0.0.1:9/theirs");
  await save(theirs);
  await expect(theirs).toHaveCount(0);
  await mine.getByRole("checkbox", { name: "email.bounced" }).click();
  await save(mine);
  await expect(mine).toHaveCount(0);
  expect(await stored()).toMatchObject({
    url: "http://127.0.0.1:9/theirs",
    events: ["email.delivered", "email.bounced"],
  });

  // The same field: nothing is saved before somebody chooses.
  [mine, theirs] = [await open(page), await open(otherTab)];
  await theirs.getByLabel("Address").fill("http://127.0.0.1:9/by-them");
  await save(theirs);
  await expect(theirs).toHaveCount(0);
  await mine.getByLabel("Address").fill("http://127.0.0.1:9/by-me");
  await save(mine);
  const conflict = mine.getByRole("region", { name: "Conflicting changes" });
  await expect(conflict).toContainText("http://127.0.0.1:9/by-me");
  await expect(conflict).toContainText("http://127.0.0.1:9/by-them");
  expect(await stored()).toMatchObject({ url: "http://127.0.0.1:9/by-them" });
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await save(mine);
  await expect(mine).toHaveCount(0);
  expect(await stored()).toMatchObject({
    url: "http://127.0.0.1:9/by-me",
    events: ["email.delivered", "email.bounced"],
  });
  await otherTab.close();
});
