import { faults, overflow } from "./axe";
import { expect, test } from "./fixtures";
import { mailTo } from "./mailbox";
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

test("figures of variants, links and providers open their emails, and say so in the filters", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: Array.from({ length: 8 }, (_, n) => ({
      email: `delivered+tested${n}@sandbox.test`,
      data: { figures: "tested" },
    })),
  });
  const { body: segment } = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "Tested",
    filter: { and: [{ field: "data.figures", op: "eq", value: "tested" }] },
  });
  const { body: campaign } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Two subjects",
    subject: "Alpha",
    from: "news@sandbox.test",
    body: '<p><a href="https://example.com/leaves">Leaves</a></p>',
    segmentId: segment.id,
    abTest: { variants: [{ subject: "Alpha" }, { subject: "Beta" }], testPercentage: 50 },
  });
  await callApi(product, "POST", `/v1/campaigns/${campaign.id}/send`);
  interface Stats {
    stats: { delivered: number; clicked: number };
  }
  const stats = async () =>
    (await callApi<Stats>(product, "GET", `/v1/campaigns/${campaign.id}`)).body.stats;
  await expect.poll(async () => (await stats()).delivered, { timeout: 30_000 }).toBe(4);

  const url = `${product.url}/dashboard/${product.projectId}/campaigns/${campaign.id}`;
  const rows = page.getByRole("table", { name: "Emails" }).locator("tbody tr");
  const happened = page.getByRole("combobox", { name: "What happened" });
  const variantA = page
    .getByRole("table", { name: "A/B test" })
    .getByRole("row", { name: /Alpha/ });
  await page.goto(url);
  await variantA.getByRole("link", { name: "2" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Emails");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("Alpha");
  await expect(happened).toHaveText("Reached a mail server");
  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 740 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  const address =
    /delivered\+tested\d@sandbox\.test/.exec(await rows.first().innerText())?.[0] ?? "";
  await page.getByRole("button", { name: /emails of all variants/ }).click();
  await expect(rows).toHaveCount(4);

  // One person follows the link.
  const { html } = await mailTo(page.request, product, address, "Alpha");
  const link = /href="(http[^"]+)"[^>]*>Leaves</.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const visit = await fetch(link, {
    redirect: "manual",
    headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" },
  });
  expect(visit.headers.get("location")).toContain("https://example.com/leaves");
  await expect.poll(async () => (await stats()).clicked, { timeout: 20_000 }).toBe(1);
  await page.goto(url);
  const leaves = page
    .getByRole("table", { name: "Links" })
    .getByRole("row", { name: /example\.com\/leaves/ });
  await leaves.getByRole("link", { name: "1", exact: true }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(address);
  await page.getByRole("button", { name: /whatever was clicked/ }).click();
  // Those who wait for the winner are the campaign's, too.
  await expect(rows).toHaveCount(8);

  await page.goto(url);
  const sandbox = page
    .getByRole("table", { name: "By receiving provider" })
    .getByRole("row", { name: /sandbox\.test/ });
  await sandbox.getByRole("link", { name: "4", exact: true }).click();
  await expect(rows).toHaveCount(4);
  // With the campaign goes what is only the campaign's; the provider stays.
  await page.getByRole("button", { name: /emails of all campaigns/ }).click();
  await expect(page).toHaveURL(/emails\?provider=sandbox\.test&event=handed_over$/);
  await page.getByRole("button", { name: /emails to all providers/ }).click();
  await expect(page).toHaveURL(/emails\?event=handed_over$/);
});

test("figures of segments and lists open their people", async ({ dashboard: page, product }) => {
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: ["one", "two", "left"].map((name) => ({
      email: `${name}@figures.example`,
      data: { figures: "people" },
      unsubscribed: name === "left",
    })),
  });
  const { body: segment } = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "Figures",
    filter: { and: [{ field: "data.figures", op: "eq", value: "people" }] },
  });
  const project = `${product.url}/dashboard/${product.projectId}`;
  const people = page.getByRole("table", { name: "Contacts" }).locator("tbody tr");
  const open = async (figure: string) => {
    await page.goto(`${project}/segments/${segment.id}`);
    await page.getByRole("link", { name: figure, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contacts");
    await expect(page.getByRole("combobox", { name: "Segment" })).toHaveText("Figures");
  };
  await open("3");
  await expect(people).toHaveCount(3);
  await open("2");
  await expect(people).toHaveCount(2);
  await expect(page.getByRole("combobox", { name: "Subscription" })).toHaveText("Subscribed");
  await open("1 unsubscribed");
  await expect(people).toHaveCount(1);
  await expect(people).toContainText("left@figures.example");

  const lists = `${product.url}/api/dashboard/${product.projectId}/v1/lists`;
  const post = async (url: string, data: object) => {
    const answer = await page.request.post(url, { headers: { origin: product.url }, data });
    expect(answer.status()).toBe(201);
    return (await answer.json()) as { id: string };
  };
  const { id } = await post(lists, { name: "With figures", fromEmail: "news@sandbox.test" });
  for (const name of ["one", "two"]) {
    await post(`${lists}/${id}/subscribers`, { email: `${name}@figures.example` });
  }
  const members = page.getByRole("table", { name: "Subscribers" }).locator("tbody tr");
  const status = page.getByRole("combobox", { name: "Status" });
  await page.goto(`${project}/lists`);
  // By keyboard, and not the row's own link.
  await page
    .getByRole("row", { name: /With figures/ })
    .getByRole("link", { name: "2", exact: true })
    .press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("With figures");
  await expect(status).toHaveText("Subscribed");
  await expect(members).toHaveCount(2);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(status).toHaveText("Any status");
  const subscribed = page.locator("dt", { hasText: "Subscribed" }).first();
  await subscribed.locator("xpath=following-sibling::dd[1]").getByRole("link").click();
  await expect(status).toHaveText("Subscribed");
  expect(await faults(page)).toEqual([]);
});
