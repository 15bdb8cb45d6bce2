import { expect, test } from "./fixtures";
import { callApi, type Product } from "./product";

interface Named {
  id: string;
  name: string;
}

async function sandboxDomain(product: Product): Promise<Named> {
  const { body } = await callApi<{ data: Named[] }>(product, "GET", "/v1/domains");
  const domain = body.data.find(({ name }) => name === "sandbox.test");
  if (!domain) throw new Error("The project has no sandbox.test.");
  return domain;
}

/** A campaign sent to this many people: the project has others, from other tests. */
async function sendCampaign(product: Product, people: number): Promise<Named> {
  const contacts = Array.from({ length: people }, (_, n) => ({
    email: `delivered+warm${n}@sandbox.test`,
    subscribed: true,
    tags: ["to-be-warmed"],
  }));
  await callApi(product, "POST", "/v1/contacts/bulk", { contacts });
  const { status, body: segment } = await callApi<Named>(product, "POST", "/v1/segments", {
    name: "Winter",
    filter: { and: [{ field: "tags", op: "contains", value: "to-be-warmed" }] },
  });
  expect(status).toBe(201);
  const { body } = await callApi<Named>(product, "POST", "/v1/campaigns", {
    name: "Winter catalogue",
    subject: "The winter catalogue is here",
    from: "news@sandbox.test",
    body: "<p>Have a look.</p>",
    segmentId: segment.id,
  });
  await callApi(product, "POST", `/v1/campaigns/${body.id}/send`, {});
  return body;
}

test("a domain is warmed up by a plan, its campaign waits and says so, and turned off it goes on", async ({
  dashboard: page,
  product,
}) => {
  const domain = await sandboxDomain(product);
  await page.goto(`${product.url}/dashboard/${product.projectId}/domains/${domain.id}`);
  await page.getByRole("button", { name: "Start a warm-up" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Emails on day 30")).toHaveValue("250000");
  // What is not a number stays at its day.
  await dialog.getByLabel("Emails on day 1", { exact: true }).fill("a few");
  await dialog.getByRole("button", { name: "Start warm-up" }).click();
  await expect(dialog.getByText(/whole number/)).toBeVisible();
  await dialog.getByLabel("Emails on day 1", { exact: true }).fill("40");
  await expect(dialog.getByText("Day 2 is more than double the day before")).toBeVisible();
  await dialog.getByLabel("Emails on day 2", { exact: true }).fill("80");
  await dialog.getByRole("button", { name: "Start warm-up" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("1 of 30")).toBeVisible();
  await expect(page.getByText("4 an hour at most")).toBeVisible();

  const campaign = await sendCampaign(product, 30);
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${campaign.id}`);
  await expect(page.getByText("Waiting for the domain’s warm-up")).toBeVisible();
  // A twelfth of an hour's share leaves every five minutes; another hour may begin meanwhile.
  await expect(page.getByText(/^[1-8] of 30 sent, expected to end by/)).toBeVisible({
    timeout: 40_000,
  });

  await page.goto(`${product.url}/dashboard/${product.projectId}/domains/${domain.id}`);
  await expect(page.getByText(/^[1-8] campaign, 0 transactional$/)).toBeVisible();
  await page.getByRole("button", { name: "Turn off" }).click();
  const question = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(
    question.getByText(/2[2-9] emails that wait for it will go out at once\./),
  ).toBeVisible();
  await question.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByRole("button", { name: "Start a warm-up" })).toBeVisible();
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${campaign.id}`);
  await expect(page.getByText("all processed")).toBeVisible({ timeout: 40_000 });
});
