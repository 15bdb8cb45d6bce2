import { expect, test } from "./fixtures";
import { callApi, type Product } from "./product";

const bounced = "bounced+state@sandbox.test";
const complained = "complained+state@sandbox.test";
const reached = "delivered+state@sandbox.test";

/** Three subscribers, one of whom bounces and one complains. */
async function people(product: Product): Promise<void> {
  const emails = [bounced, complained, reached];
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: emails.map((email) => ({ email, subscribed: true, tags: ["state"] })),
  });
  for (const to of emails) {
    await callApi(product, "POST", "/v1/send", {
      from: "hello@sandbox.test",
      to,
      subject: "State",
      body: "<p>Hello</p>",
    });
  }
  const statuses = async () => {
    const path = "/v1/emails?search=state@sandbox.test";
    const { body } = await callApi<{ data: { status: string }[] }>(product, "GET", path);
    return body.data.map(({ status }) => status).sort();
  };
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(["BOUNCED", "COMPLAINED", "DELIVERED"]);
}

test("nobody whose address bounced or who complained is shown as reachable, on any page", async ({
  dashboard: page,
  product,
}) => {
  await people(product);
  const project = `${product.url}/dashboard/${product.projectId}`;
  await page.goto(`${project}/contacts?tag=state`);
  const row = (email: string) => page.getByRole("row").filter({ hasText: email });
  await expect(row(reached)).toContainText("Subscribed");
  await expect(row(bounced)).toContainText("Bounced");
  await expect(row(bounced)).not.toContainText("Subscribed");
  await expect(row(complained)).toContainText("Complained");
  await expect(row(complained)).not.toContainText("Subscribed");

  await page.getByRole("link", { name: complained }).click();
  await expect(page.getByText("reported your mail as spam")).toBeVisible();
  await expect(page.getByRole("button", { name: /subscribe/i })).toHaveCount(0);

  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "State",
    filter: { and: [{ field: "tags", op: "contains", value: "state" }] },
  });
  await page.goto(`${project}/segments/${body.id}`);
  const match = (email: string) => page.getByRole("listitem").filter({ hasText: email });
  await expect(match(bounced)).toContainText("Bounced");
  await expect(match(reached)).not.toContainText("Bounced");
  await expect(page.getByText("A campaign would reach 1 of them.")).toBeVisible();
  await callApi(product, "DELETE", `/v1/segments/${body.id}`);
});
