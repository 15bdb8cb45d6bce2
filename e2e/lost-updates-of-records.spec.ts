import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

interface StoredTemplate {
  name: string;
  subject: string;
  body: string;
}

const subjectOf = (page: Page) => page.getByRole("textbox", { name: "Subject", exact: true });

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
  const stored = async () => (await callApi<StoredTemplate>(product, "GET", path)).body;
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
  await nameIn(page).fill("Named meanwhile");
  await saveIn(page);
  await expect.poll(stored).toMatchObject({ name: "Named meanwhile" });
  otherTab.once("dialog", (dialog) => void dialog.accept());
  await otherTab.reload();
  await otherTab.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(nameIn(otherTab)).toHaveValue("Never sent");
  await expect(conflict).toContainText("Named meanwhile");
  await saveIn(otherTab);
  // Beside both texts, and now as what is wrong with the form.
  await expect(otherTab.getByText("Nothing is saved until you choose")).toHaveCount(2);
  expect(await stored()).toMatchObject({ name: "Named meanwhile" });
  await conflict.getByRole("button", { name: "Keep mine" }).click();
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

test("two tabs of a topic keep each other's fields, and show both texts of the same one", async ({
  dashboard: page,
  product,
}) => {
  const { body: topic } = await callApi<{ id: string }>(product, "POST", "/v1/topics", {
    name: "Shared topic",
    description: "First",
  });
  const stored = async () => (await callApi<object>(product, "GET", `/v1/topics/${topic.id}`)).body;
  const open = async (tab: Page) => {
    await tab.goto(`${product.url}/dashboard/${product.projectId}/settings/topics`);
    await tab.getByRole("button", { name: /^Edit/ }).click();
    return tab.getByRole("list", { name: "Topics" });
  };
  const save = (form: Locator) => form.getByRole("button", { name: "Save", exact: true }).click();
  const otherTab = await page.context().newPage();
  const [mine, theirs] = [await open(page), await open(otherTab)];
  await theirs.getByLabel("Name").fill("Named by them");
  await save(theirs);
  await expect(theirs.getByText("Named by them")).toBeVisible();
  await mine.getByLabel("Description").fill("Described by me");
  await save(mine);
  await expect(mine.getByText("Described by me")).toBeVisible();
  expect(await stored()).toMatchObject({
    name: "Named by them",
    description: "Described by me",
  });

  await theirs.getByRole("button", { name: /^Edit/ }).click();
  await theirs.getByLabel("Name").fill("Again by them");
  await mine.getByRole("button", { name: /^Edit/ }).click();
  await mine.getByLabel("Name").fill("Again by me");
  await save(theirs);
  await expect(theirs.getByText("Again by them")).toBeVisible();
  await save(mine);
  const conflict = mine.getByRole("region", { name: "Conflicting changes" });
  await expect(conflict).toContainText("Again by them");
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await save(mine);
  await expect(mine.getByText("Again by me")).toBeVisible();
  expect(await stored()).toMatchObject({ name: "Again by me", description: "Described by me" });
  await otherTab.close();
});
