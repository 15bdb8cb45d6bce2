import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("a double-click starts one import, creates one key and pauses without an error", async ({
  dashboard: page,
  product,
}) => {
  const dashboard = `${product.url}/dashboard/${product.projectId}`;
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
  });
  const sent = (end: RegExp) => posts.filter((path) => end.test(path)).length;

  await page.goto(`${dashboard}/contacts/import`);
  await page.getByLabel("CSV file").setInputFiles({
    name: "twice.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("email\ndelivered+twice@sandbox.test\n"),
  });
  await page.getByRole("button", { name: "Start import" }).dblclick();
  await expect(page).toHaveURL(/\/imports\/imp_/);
  await expect(page.getByText("Done", { exact: true })).toBeVisible();
  expect(sent(/contacts\/import$/)).toBe(1);

  await page.goto(`${dashboard}/api-keys`);
  await page.getByRole("button", { name: "Create key" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("Pressed twice");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).dblclick();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Pressed twice" })).toHaveCount(1);
  expect(sent(/api-keys$/)).toBe(1);

  const contacts = Array.from({ length: 2000 }, (_, at) => ({
    email: `delivered+pause${at}@sandbox.test`,
    data: { plan: "pause" },
  }));
  for (const part of [contacts.slice(0, 1000), contacts.slice(1000)]) {
    await callApi(product, "POST", "/v1/contacts/bulk", { contacts: part });
  }
  const segment = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "Paused people",
    filter: { and: [{ field: "data.plan", op: "eq", value: "pause" }] },
  });
  const campaign = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Paused by a double-click",
    subject: "Hello",
    from: "news@sandbox.test",
    body: "<p>Hello</p>",
    segmentId: segment.body.id,
  });
  const { id } = campaign.body;

  await page.goto(`${dashboard}/campaigns/${id}`);
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByRole("dialog").getByLabel("To").fill("delivered+tester@sandbox.test");
  await page.getByRole("dialog").getByRole("button", { name: "Send test" }).dblclick();
  await expect(page.getByText("The test email is on its way")).toBeVisible();
  expect(sent(/\/test$/)).toBe(1);

  await callApi(product, "POST", `/v1/campaigns/${id}/send`);
  await page.goto(`${dashboard}/campaigns/${id}`);
  await page.getByRole("button", { name: "Pause" }).dblclick();
  await expect(page.getByTestId("status").first()).toHaveText("Paused");
  await expect(page.getByText("That did not work")).toHaveCount(0);
  expect(sent(/\/(pause|resume)$/)).toBe(1);
  await callApi(product, "POST", `/v1/campaigns/${id}/cancel`);
});
