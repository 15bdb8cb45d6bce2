import { expect, test } from "./fixtures";
import { callApi } from "./product";

interface Made {
  id: string;
}

test("a contact's timeline tells who changed what, is narrowed, and takes a change back", async ({
  dashboard: page,
  product,
}) => {
  const call = <Answer>(method: string, path: string, body?: unknown) =>
    callApi<Answer>(product, method, path, body);
  const email = "ada@story.example";
  const made = await call<Made>("POST", "/v1/contacts", {
    ...{ email, firstName: "Ada", tags: ["vip"] },
    data: { plan: "free" },
  });
  const { id } = made.body;
  await call("PATCH", `/v1/contacts/${id}`, { data: { plan: "pro" }, tags: ["vip", "news"] });
  const list = await call<Made>("POST", "/v1/segments", {
    name: "Pro customers",
    filter: { and: [{ field: "data.plan", op: "eq", value: "pro" }] },
  });
  expect(list.status).toBe(201);

  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts/${id}`);
  const timeline = page.getByRole("list", { name: "Timeline" });
  const change = timeline.getByRole("listitem").filter({ hasText: "Changed tags and plan" });
  await expect(change).toContainText("by the API key");
  await expect(change).toContainText("plan: free → pro");
  await expect(change).toContainText("Tags added: news");
  await expect(page.getByRole("list", { name: "Segments" })).toContainText("Pro customers");

  await page.getByRole("button", { name: "Consent", exact: true }).click();
  await expect(timeline).toContainText("Added as subscribed");
  await expect(change).toHaveCount(0);
  await expect(page).toHaveURL(/\?timeline=consent$/);
  // A reload and the way back keep it, and the server begins with it.
  const consent = page.getByRole("button", { name: "Consent", exact: true });
  await page.reload();
  await expect(consent).toHaveAttribute("aria-pressed", "true");
  await expect(timeline).toContainText("Added as subscribed");
  await expect(change).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Segments" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Segments");
  await page.goBack();
  await expect(consent).toHaveAttribute("aria-pressed", "true");
  await expect(change).toHaveCount(0);
  await page.getByRole("button", { name: "Everything" }).click();
  await expect(page).toHaveURL(/\/contacts\/con_\w+$/);
  await expect(change).toHaveCount(1);
  await page.getByRole("button", { name: "Lists and tags" }).click();
  await change.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The change was undone")).toBeVisible();
  await expect(timeline).toContainText("Undid a change of tags and plan");
  await expect(change).toContainText("undone");
  const stored = await call<{ data: unknown; tags: string[] }>("GET", `/v1/contacts/${id}`);
  expect(stored.body).toMatchObject({ data: { plan: "free" }, tags: ["vip"] });
});

test("notes about a contact are added, edited and deleted", async ({
  dashboard: page,
  product,
}) => {
  const made = await callApi<Made>(product, "POST", "/v1/contacts", {
    email: "notes@story.example",
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts/${made.body.id}`);
  await page.getByLabel("New note").fill("Prefers calls.");
  await page.getByRole("button", { name: "Add note" }).click();
  const notes = page.getByRole("list", { name: "Notes" });
  await expect(notes).toContainText("Prefers calls.");
  await expect(page.getByLabel("New note")).toHaveValue("");

  await notes.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit the note" });
  await dialog.getByLabel("Note").fill("Prefers letters.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(notes).toContainText("Prefers letters.");
  await expect(notes).toContainText("edited");

  await notes.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete note" }).click();
  // What lies behind an open dialog has no role: only its end shows that the server has answered.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(notes.getByRole("listitem")).toHaveCount(0);
});

test("two contacts that are one person are compared, merged, and found under the former id", async ({
  dashboard: page,
  product,
}) => {
  const add = (email: string, more: object) =>
    callApi<Made>(product, "POST", "/v1/contacts", { email, ...more });
  const kept = await add("grace@merge.example", {
    ...{ firstName: "Grace", tags: ["navy"], data: { plan: "free" } },
  });
  const other = await add("hopper@merge.example", {
    ...{ lastName: "Hopper", tags: ["cobol"], data: { plan: "pro" }, unsubscribed: true },
  });
  const contacts = `${product.url}/dashboard/${product.projectId}/contacts`;
  await page.goto(`${contacts}/${kept.body.id}`);
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Merge with another contact" });
  await dialog.getByLabel("Address or name of the other contact").fill("hopper");
  await dialog.getByRole("button", { name: /hopper@merge\.example/ }).click();

  await expect(dialog).toContainText("Merging cannot be undone");
  await expect(dialog).toContainText("campaigns reach neither address any more");
  await dialog.getByRole("radiogroup", { name: "plan" }).getByText("pro").click();
  const after = dialog.locator("section").filter({ hasText: "Afterwards" });
  await expect(after).toContainText("navy, cobol");
  await expect(after).toContainText("Grace Hopper");
  await expect(after).toContainText("Unsubscribed");
  await dialog.getByRole("button", { name: "Merge contacts" }).click();
  await expect(page.getByText("The two are one contact now")).toBeVisible();

  const timeline = page.getByRole("list", { name: "Timeline" });
  await expect(timeline).toContainText("Merged with hopper@merge.example");
  await expect(page.getByRole("heading", { name: "Grace Hopper" })).toBeVisible();
  const stored = await callApi<object>(product, "GET", `/v1/contacts/${kept.body.id}`);
  expect(stored.body).toMatchObject({
    ...{ email: "grace@merge.example", lastName: "Hopper", tags: ["navy", "cobol"] },
    ...{ data: { plan: "pro" }, state: "unsubscribed" },
  });
  await page.goto(`${contacts}/${other.body.id}`);
  await expect(page).toHaveURL(`${contacts}/${kept.body.id}`);
});
