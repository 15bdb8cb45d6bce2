import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { openPalette } from "./palette";
import { callApi } from "./product";

test("a segment is built from what contacts have, counted while building, saved, used and deleted", async ({
  dashboard: page,
  product,
}) => {
  const people = [
    { email: "ada@segments.example", tags: ["vip"], data: { plan: "pro", seats: 12 } },
    { email: "bob@segments.example", tags: ["vip"], data: { plan: "free", seats: 3 } },
    { email: "cem@segments.example", data: { plan: "pro", seats: 200 } },
    { email: "dia@segments.example", data: { plan: "free" }, unsubscribed: true },
  ];
  await callApi(product, "POST", "/v1/contacts/bulk", { contacts: people });
  const segments = `${product.url}/dashboard/${product.projectId}/segments`;
  await page.goto(segments);
  await page.getByRole("link", { name: "Create segment" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New segment");

  // A condition with a suggested value.
  await page.getByRole("button", { name: "Add condition" }).click();
  await chooseOption(page.getByRole("combobox", { name: "Field" }).nth(1), "plan", { exact: true });
  await expect(page.getByText("Fill in every condition")).toBeVisible();
  await chooseOption(page.getByRole("combobox", { name: "Value" }).last(), "pro", { exact: true });
  await expect(page.getByText("People who are subscribed and whose plan is “pro”.")).toBeVisible();
  await expect(page.getByText("2 people")).toBeVisible();
  await expect(page.getByRole("link", { name: /^ada@segments/ })).toBeVisible();

  // A group of its own.
  await page.getByRole("button", { name: "Add group" }).click();
  const group = page.getByRole("group", { name: "Group of conditions" });
  await chooseOption(group.getByRole("combobox", { name: "Field" }), "seats", { exact: true });
  await chooseOption(group.getByRole("combobox", { name: "Comparison" }), "is more than");

  // Nothing is saved while something is missing.
  await page.getByLabel("Name").fill("Big pros");
  await page.getByRole("button", { name: "Create segment" }).click();
  await expect(group.getByText("A value is missing.")).toBeVisible();
  await group.getByRole("combobox", { name: "Value" }).fill("100");
  await expect(page.getByText("1 person")).toBeVisible();
  await page.getByRole("button", { name: "Create segment" }).click();
  await expect(page).toHaveURL(/\/segments\/seg_\w+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Big pros");

  // Its people, as a filter of the contacts.
  await page.getByRole("link", { name: "Show all matches" }).click();
  await expect(page).toHaveURL(/\/contacts\?segmentId=seg_/);
  await expect(page.getByRole("combobox", { name: "Segment" })).toHaveText(/Big pros/);
  await expect(page.locator("tbody").getByRole("link")).toHaveText(["cem@segments.example"]);

  // The list counts it and finds it; then it is deleted.
  await page.goto(`${segments}?search=big`);
  const row = page.getByRole("row", { name: /Big pros/ });
  await expect(row).toContainText("whose seats is more than 100");
  await expect(row.getByRole("cell").nth(1)).toHaveText(/^1\s*counted/);
  await row.getByRole("link", { name: "Big pros" }).click();
  await expect(page).toHaveURL(/\/segments\/seg_\w+$/);
  const segmentId = page.url().split("/").at(-1) ?? "";
  const { body: campaign } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "For big pros",
    subject: "Hello",
    from: "hello@sandbox.test",
    body: "<p>Hello</p>",
    segmentId,
  });
  const scheduled = await callApi(product, "POST", `/v1/campaigns/${campaign.id}/schedule`, {
    scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  expect(scheduled.status).toBe(200);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete segment" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("campaign");
  await callApi(product, "POST", `/v1/campaigns/${campaign.id}/cancel`);
  await page.getByRole("dialog").getByRole("button", { name: "Delete segment" }).click();
  await expect(page).toHaveURL(/\/segments$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Segments");
  // With its id, so that what refers to it finds it again.
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  await row.getByRole("link", { name: "Big pros" }).click();
  await expect(page).toHaveURL(new RegExp(`/segments/${segmentId}$`));
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete segment" }).click();
  await expect(page).toHaveURL(/\/segments$/);
  // Another journey's segments may be in the list.
  await expect(page.getByRole("row", { name: /Big pros/ })).toHaveCount(0);
});

test("the palette finds people, segments and mail by name, address and id", async ({
  dashboard: page,
  product,
}) => {
  const { body: person } = await callApi<{ id: string }>(product, "POST", "/v1/contacts", {
    email: "grace@palette.example",
    firstName: "Grace",
  });
  const { body: segment } = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "Palette people",
    filter: { and: [{ field: "email", op: "contains", value: "palette" }] },
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}`);
  const find = async (text: string) => (await openPalette(page)).fill(text);
  await find("palette");
  await expect(page.getByRole("option", { name: /grace@palette.example\s*Grace/ })).toBeVisible();
  await page.getByRole("option", { name: "Palette people" }).click();
  await expect(page).toHaveURL(new RegExp(`/segments/${segment.id}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Palette people");
  await find(person.id);
  await page.getByRole("option", { name: "grace@palette.example" }).click();
  await expect(page).toHaveURL(new RegExp(`/contacts/${person.id}$`));
  await callApi(product, "DELETE", `/v1/segments/${segment.id}`);
});

test("a segment of an unusual shape opens as it is and is kept", async ({
  dashboard: page,
  product,
}) => {
  const filter = {
    or: [
      { field: "data.nobody.has.this", op: "in", value: ["a", 7] },
      { and: [{ field: "tags", op: "eq", value: "vip" }] },
      { field: "lastOpenedAt", op: "exists", value: false },
    ],
  };
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "Unusual",
    filter,
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/segments/${body.id}`);
  await expect(
    page.getByText(
      "People whose nobody.has.this is “a” or 7 or who have the tag “vip” or who have never opened mail.",
    ),
  ).toBeVisible();
  await page.getByLabel("Name").fill("Unusual, renamed");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unusual, renamed");
  const kept = await callApi<{ filter: unknown }>(product, "GET", `/v1/segments/${body.id}`);
  expect(kept.body.filter).toEqual(filter);
  await callApi(product, "DELETE", `/v1/segments/${body.id}`);
});

test("a segment asks for a period and for numbers of emails, and refuses what is no number", async ({
  dashboard: page,
  product,
}) => {
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: [{ email: "eva@periods.example" }, { email: "finn@periods.example" }],
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/segments/new`);
  await page.getByLabel("Name").fill("New and unread");
  const choose = async (what: string, position: number, option: string) => {
    await chooseOption(page.getByRole("combobox", { name: what }).nth(position), option, {
      exact: true,
    });
  };
  await choose("Field", 0, "Email address");
  await choose("Comparison", 0, "ends with");
  await page.getByRole("combobox", { name: "Value" }).fill("@Periods.example");

  // A period begins with 30 days; what is out of bounds is said beside it, and counts nobody.
  await page.getByRole("button", { name: "Add condition" }).click();
  await choose("Field", 1, "Added");
  const start = "People whose email address ends with “@Periods.example” and who were added in";
  await expect(page.getByText(`${start} the last 30 days.`)).toBeVisible();
  await expect(page.getByText("2 people")).toBeVisible();
  await page.getByRole("textbox", { name: "Days" }).fill("5000");
  await expect(page.getByText("Enter a whole number from 1 to 3650.")).toBeVisible();
  await expect(page.getByText("Fill in every condition")).toBeVisible();
  await page.getByRole("textbox", { name: "Days" }).fill("7");
  await expect(page.getByText("Enter a whole number")).toHaveCount(0);

  await page.getByRole("button", { name: "Add condition" }).click();
  await choose("Field", 2, "Emails opened");
  await expect(page.getByText("0 people")).toBeVisible();
  await choose("Comparison", 2, "at most");
  await page.getByRole("textbox", { name: "Emails" }).fill("0");
  const whole = `${start} the last 7 days and who opened no email in the last 30 days.`;
  await expect(page.getByText(whole)).toBeVisible();
  await expect(page.getByText("2 people")).toBeVisible();
  await choose("Period", 0, "between");
  await page.getByRole("button", { name: "Create segment" }).click();
  await expect(page.getByText("A value is missing.")).toHaveCount(2);
  await page.getByLabel("From", { exact: true }).fill("2026-01-01");
  await page.getByLabel("To", { exact: true }).fill("2026-03-31");
  await choose("Period", 0, "ever");
  await page.getByRole("button", { name: "Create segment" }).click();
  await expect(page).toHaveURL(/\/segments\/seg_\w+$/);
  await page.reload();
  await expect(page.getByText(`${start} the last 7 days and who opened no email.`)).toBeVisible();
  const id = page.url().split("/").at(-1);
  const { body } = await callApi<{ filter: unknown }>(product, "GET", `/v1/segments/${id}`);
  expect(body.filter).toEqual({
    and: [
      { field: "email", op: "ends_with", value: "@Periods.example" },
      { field: "createdAt", op: "in_last", days: 7 },
      { field: "openedEmails", op: "at_most", value: 0 },
    ],
  });
  await callApi(product, "DELETE", `/v1/segments/${id}`);
});
