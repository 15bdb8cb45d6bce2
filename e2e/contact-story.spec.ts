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
  await expect(notes.getByRole("listitem")).toHaveCount(0);
});
