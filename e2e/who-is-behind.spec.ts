import { faults, overflow } from "./axe";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("a campaign's figures open the emails that they count", async ({ dashboard, product }) => {
  test.setTimeout(120_000);
  for (const kind of ["delivered", "bounced"]) {
    await callApi(product, "POST", "/v1/contacts", {
      email: `${kind}+behind@sandbox.test`,
      subscribed: true,
    });
  }
  const { body: campaign } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Who is behind it",
    subject: "News",
    from: "news@sandbox.test",
    body: "<p>Hello</p>",
  });
  await callApi(product, "POST", `/v1/campaigns/${campaign.id}/send`);
  await callApi(product, "POST", "/v1/send", {
    from: "hello@sandbox.test",
    to: "bounced+alone@sandbox.test",
    subject: "Not the campaign's",
    body: "<p>Hello</p>",
  });
  await expect(async () => {
    const { body } = await callApi<{ stats: { bounced: number; delivered: number } }>(
      product,
      "GET",
      `/v1/campaigns/${campaign.id}`,
    );
    expect(body.stats).toMatchObject({ bounced: 1, delivered: 1 });
  }).toPass({ timeout: 30_000 });
  const page = `${product.url}/dashboard/${product.projectId}/campaigns/${campaign.id}`;
  const rows = dashboard.getByRole("table", { name: "Emails" }).locator("tbody tr");
  const open = async (figure: string) => {
    await dashboard.goto(page);
    const term = dashboard.locator("dt", { hasText: figure }).first();
    await term.locator("xpath=following-sibling::dd[1]").getByRole("link").click();
    await expect(dashboard.getByRole("heading", { level: 1 })).toHaveText("Emails");
  };

  await open("Bounced");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("bounced+behind@sandbox.test");
  await expect(dashboard.getByRole("combobox", { name: "What happened" })).toHaveText(/Bounced/);
  expect(await faults(dashboard)).toEqual([]);
  await dashboard.setViewportSize({ width: 375, height: 740 });
  expect(await overflow(dashboard)).toBeLessThanOrEqual(0);
  await dashboard.setViewportSize({ width: 1280, height: 800 });
  await dashboard.getByRole("button", { name: /emails of all campaigns/ }).click();
  await expect(rows).toHaveCount(2);

  await open("Recipients");
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "alone" })).toHaveCount(0);
});

test("Overview leads back to what was begun", async ({ dashboard, product }) => {
  const overview = `${product.url}/dashboard/${product.projectId}`;
  const { body: draft } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Half written",
    incomplete: true,
  });
  await dashboard.goto(overview);
  const next = dashboard.getByRole("link", { name: "Half written" });
  await expect(next).toHaveAttribute("href", new RegExp(draft.id));
  expect(await faults(dashboard)).toEqual([]);
});
