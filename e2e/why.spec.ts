import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("a campaign's page says who got it and why somebody did not, and follows up those who did not open", async ({
  dashboard: page,
  product,
}) => {
  const contacts = [
    { email: "delivered+why@sandbox.test", tags: ["why"], unsubscribed: false },
    { email: "delivered+whynot@sandbox.test", tags: ["else"], unsubscribed: false },
  ];
  await callApi(product, "POST", "/v1/contacts/bulk", { contacts });
  const { body: segment } = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "Tagged why",
    filter: { and: [{ field: "tags", op: "contains", value: "why" }] },
  });
  const { body: campaign } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Why journey",
    subject: "Hello",
    from: "hello@sandbox.test",
    body: "<p>Hello</p>",
    segmentId: segment.id,
  });
  await callApi(product, "POST", `/v1/campaigns/${campaign.id}/send`, {});
  const status = async () =>
    (await callApi<{ status: string }>(product, "GET", `/v1/campaigns/${campaign.id}`)).body.status;
  await expect.poll(status, { timeout: 30_000 }).toBe("SENT");

  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${campaign.id}`);
  const ask = async (email: string) => {
    await page.getByLabel("Contact’s address").fill(email);
    await page.getByRole("button", { name: "Ask" }).click();
  };
  await ask("delivered+why@sandbox.test");
  await expect(page.getByText("Yes: delivered+why@sandbox.test")).toBeVisible();
  await ask("delivered+whynot@sandbox.test");
  await expect(page.getByText("No: delivered+whynot@sandbox.test")).toBeVisible();
  await expect(page.getByText("Their tags must contain “why”")).toBeVisible();
  await ask("nobody@nowhere.example");
  await expect(page.getByText("No contact of this project has this address.")).toBeVisible();

  await page.getByRole("button", { name: "Send to those who did not open" }).click();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(
    "Follow-up: Why journey",
  );
  const { body: segments } = await callApi<{ data: { name: string; contactCount: number }[] }>(
    product,
    "GET",
    "/v1/segments?search=Did%20not%20open",
  );
  expect(segments.data).toEqual([
    expect.objectContaining({ name: "Did not open: Why journey", contactCount: 1 }),
  ]);
});
