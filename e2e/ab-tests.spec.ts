import { faults, overflow } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("an A/B test is set up, watched, and decided by hand: everybody else gets that variant", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  const people = 20;
  const contacts = Array.from({ length: people }, (_, index) => ({
    email: `delivered+ab${index}@sandbox.test`,
    data: { plan: "ab" },
  }));
  await callApi(product, "POST", "/v1/contacts/bulk", { contacts });
  const { body: segment } = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "A and B",
    filter: { and: [{ field: "data.plan", op: "eq", value: "ab" }] },
  });
  const { body: created } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Spring news",
    subject: "Alpha",
    from: "news@sandbox.test",
    body: "<p>Spring</p>",
    segmentId: segment.id,
  });
  const url = `${product.url}/dashboard/${product.projectId}/campaigns/${created.id}`;
  await page.goto(url);
  const send = page.getByRole("button", { name: /^Send to/ });
  await expect(send).toBeEnabled();

  // The second subject is needed, and the hint says how little so few people can show.
  await page.getByRole("switch", { name: /A\/B test/ }).click();
  await expect(send).toBeDisabled();
  await expect(page.getByRole("link", { name: "Subject", exact: true })).toBeVisible();
  await expect(page.getByText("Write subject B")).toBeVisible();
  await page.getByLabel("Subject B").fill("Beta");
  await page.getByRole("button", { name: "Add a variant" }).click();
  await page.getByLabel("Subject C").fill("Gamma");
  await page.getByRole("button", { name: "Remove variant C" }).click();
  await chooseOption(page.getByRole("combobox", { name: "Decided by" }), "People who click");
  await expect(page.getByTestId("sample-hint")).toContainText("4 of 20 people are in the test");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.reload();
  await expect(page.getByLabel("Subject B")).toHaveValue("Beta");
  await expect(page.getByRole("combobox", { name: "Decided by" })).toContainText("click");

  // The test goes out, and the others wait.
  await send.click();
  await page.getByRole("dialog").getByRole("button", { name: "Send to 20 people" }).click();
  await expect(page.getByText("Awaiting winner", { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByTestId("progress")).toContainText("4 of 20 sent");
  await expect(page.getByTestId("ab-standing")).toContainText("Decision due in 4 hours");
  const table = page.getByRole("table", { name: "A/B test" });
  await expect(table.getByRole("row", { name: /Alpha/ })).toBeVisible();

  expect(await faults(page)).toEqual([]);
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 375, height });
  expect(await overflow(page)).toBe(0);
  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width, height });

  // Chosen by hand, once the page says how many people it goes to.
  await table.getByRole("button", { name: "Choose B now" }).click();
  const dialog = page.getByRole("dialog", { name: "Send variant B to everybody else?" });
  await expect(dialog).toContainText("16 people who are not in it get “Beta” now");
  await dialog.getByRole("button", { name: "Send B to 16 people" }).click();
  await expect(page.getByTestId("ab-standing")).toContainText("B was chosen by hand");
  await expect(page.getByTestId("status").first()).toHaveText("Sent", { timeout: 30_000 });
  await expect(table.getByRole("button")).toHaveCount(0);

  const subjects: string[] = [];
  const { body: log } = await callApi<{ data: { subject: string; contact: { email: string } }[] }>(
    product,
    "GET",
    "/v1/emails?limit=100&search=delivered%2Bab",
  );
  for (const email of log.data) subjects.push(email.subject);
  expect(subjects.filter((subject) => subject === "Alpha")).toHaveLength(2);
  expect(subjects.filter((subject) => subject === "Beta")).toHaveLength(18);
});

test("a variant's own content begins with the campaign's, and is drawn like it", async ({
  dashboard: page,
  product,
}) => {
  interface Stored {
    body: string;
    abTest: { variants: { body: string | null; design: object | null }[] } | null;
  }
  const paragraph = {
    type: "paragraph",
    attrs: { align: "left" },
    content: [{ type: "text", text: "Spring is here." }],
  };
  const { body: created } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Drawn variants",
    subject: "Alpha",
    from: "news@sandbox.test",
    design: { type: "doc", attrs: { theme: {} }, content: [paragraph] },
  });
  const read = async () =>
    (await callApi<Stored>(product, "GET", `/v1/campaigns/${created.id}`)).body;
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${created.id}`);
  await page.getByRole("switch", { name: /A\/B test/ }).click();
  await page.getByLabel("Subject B").fill("Beta");
  const variant = page.getByRole("group", { name: "Variant B" });
  await variant.getByRole("button", { name: "Other preview text, sender name or content" }).click();
  await variant.getByRole("switch", { name: "Other content for B" }).click();
  const canvas = variant.getByRole("textbox", { name: "Email of variant B" });
  await canvas.getByText("Spring is here.").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" So are we.");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(await faults(page)).toEqual([]);

  await expect
    .poll(async () => (await read()).abTest?.variants[1]?.body)
    .toContain("Spring is here. So are we.");
  const stored = await read();
  expect(stored.abTest?.variants[1]?.design).toMatchObject({ type: "doc" });
  expect(stored.body).not.toContain("So are we.");

  // The same after a reload, with what people get.
  await page.reload();
  await expect(canvas.getByText("Spring is here. So are we.")).toBeVisible();
  await variant.getByRole("tab", { name: "Preview" }).click();
  await expect(variant.frameLocator("iframe").getByText("So are we.")).toBeVisible();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await variant.getByRole("switch", { name: "Other content for B" }).click();
  await expect(canvas).toHaveCount(0);
  await expect.poll(async () => (await read()).abTest?.variants[1]?.body).toBeNull();
});
