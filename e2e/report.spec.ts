import type { Page } from "@playwright/test";
import { faults, overflow } from "./axe";
import { expect, test } from "./fixtures";
import { callApi, type Product } from "./product";

/** A campaign to a few readers that has gone out. */
async function sentCampaign(product: Product, name: string): Promise<string> {
  const word = name.toLowerCase().replaceAll(" ", "");
  const contacts = Array.from({ length: 12 }, (_, index) => ({
    email: `delivered+${word}${index}@sandbox.test`,
    firstName: `Reader ${index}`,
    data: { report: word },
  }));
  await callApi(product, "POST", "/v1/contacts/bulk", { contacts });
  const segment = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name,
    filter: { and: [{ field: "data.report", op: "eq", value: word }] },
  });
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name,
    subject: "Leaves for {{ firstName | default: 'you' }}",
    from: { email: "news@sandbox.test", name: "Tea Shop" },
    segmentId: segment.body.id,
    body: '<h1>Dear {{ firstName | default: "reader" }}</h1><p><a href="https://example.com/leaves?who={{ email }}">Leaves</a></p>',
  });
  const { id } = body;
  await callApi(product, "POST", `/v1/campaigns/${id}/send`);
  await expect
    .poll(
      async () => {
        const path = `/v1/campaigns/${id}`;
        return (await callApi<{ status: string }>(product, "GET", path)).body.status;
      },
      { timeout: 20_000 },
    )
    .toBe("SENT");
  return id;
}

const campaignPage = (product: Product, id: string) =>
  `${product.url}/dashboard/${product.projectId}/campaigns/${id}`;

async function share(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "Share report" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Share the report" });
  await dialog.getByLabel("Whom it is for").fill(name);
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const link = await page.getByTestId("report-link").textContent();
  await page.getByRole("button", { name: "Done" }).click();
  return link ?? "";
}

test("a report is shared by link, read without signing in, printed, and revoked", async ({
  dashboard: page,
  browser,
  product,
}) => {
  test.setTimeout(120_000);
  const id = await sentCampaign(product, "Autumn report");
  await page.goto(campaignPage(product, id));
  const link = await share(page, "The board");
  expect(link).toMatch(/\/report\/[\w-]{35}$/);

  const stranger = await browser.newContext({ javaScriptEnabled: true });
  const reading = await stranger.newPage();
  for (const colorScheme of ["light", "dark"] as const) {
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 800 },
    ]) {
      await reading.setViewportSize(size);
      await reading.emulateMedia({ media: "screen", colorScheme, reducedMotion: "reduce" });
      await reading.goto(link);
      await expect(reading.getByRole("heading", { level: 1 })).toHaveText("Autumn report");
      expect.soft(await faults(reading), `${colorScheme} ${size.width}`).toEqual([]);
      expect.soft(await overflow(reading), `${colorScheme} ${size.width}`).toBe(0);
    }
  }
  await expect(reading.getByText("Leaves for you")).toBeVisible();
  const mail = reading.frameLocator("iframe");
  await expect(mail.getByRole("heading", { name: "Dear reader" })).toBeVisible();
  expect(await reading.content()).not.toMatch(/delivered\+|Reader \d/);

  // On paper: light, whole, and within the sheet.
  await reading.emulateMedia({ media: "print", colorScheme: "dark" });
  await reading.setViewportSize({ width: 690, height: 1000 });
  const paper = await reading.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(paper).toBe("rgb(255, 255, 255)");
  expect(await overflow(reading)).toBe(0);
  const pdf = await reading.pdf({ format: "A4", printBackground: true });
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");

  // It is known how often it was opened; revoked, it opens nothing.
  await page.reload();
  const row = page.getByRole("list", { name: "Links to the report" }).getByRole("listitem");
  await expect(row).toContainText(/The board.*opened 4 times/s);
  await row.getByRole("button", { name: "Revoke The board" }).click();
  await page.getByRole("button", { name: "Revoke link" }).click();
  // What lies behind an open dialog has no role: only its end shows that the server has answered.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("list", { name: "Links to the report" })).toHaveCount(0);
  const answer = await reading.goto(link);
  expect(answer?.status()).toBe(410);
  await expect(reading.getByRole("heading", { level: 1 })).toHaveText(
    "This report is no longer shared",
  );
  await stranger.close();
});

test("a campaign's page and its charts read without hovering, also on paper", async ({
  dashboard: page,
  product,
}) => {
  const id = await sentCampaign(product, "Winter report");
  await page.goto(`${product.url}/dashboard/${product.projectId}?range=7d`);
  const chart = page.getByRole("figure").filter({ hasText: "Emails by day" });
  await expect(chart).toContainText(/Most on .*: \d+/);
  await chart.getByText("Show as a table").click();
  const table = chart.getByRole("table", { name: "Emails by day, as a table" });
  await expect(table.getByRole("row")).toHaveCount(8);
  expect(await faults(page)).toEqual([]);
  const captured = page.getByText("Nobody outside has received it.");
  await expect(captured).toBeVisible();

  // What counts as delivered has left nothing but the queue: the figures say so, and where it is.
  await page.goto(campaignPage(product, id));
  await expect(page.getByRole("heading", { name: "Results" })).toBeVisible();
  await expect(captured).toBeVisible();
  await captured.getByRole("link", { name: "captured mailbox" }).click();
  await expect(page).toHaveURL(/\/captured$/);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Results" })).toBeVisible();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.setViewportSize({ width: 690, height: 1000 });
  await expect(page.getByRole("navigation").first()).toBeHidden();
  await expect(page.getByRole("button", { name: "Share report" }).first()).toBeHidden();
  const paper = await page.evaluate(
    () => getComputedStyle(document.documentElement).backgroundColor,
  );
  expect(paper).toBe("rgb(255, 255, 255)");
  expect(await overflow(page)).toBe(0);
});

test("the calendar shows campaigns on their days, and leads to each by keyboard", async ({
  dashboard: page,
  product,
}) => {
  const id = await sentCampaign(product, "Spring report");
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns`);
  await page.getByRole("link", { name: "Calendar" }).click();
  await expect(page).toHaveURL(/\/campaigns\/calendar$/);
  const today = page.locator("td", { has: page.locator("time[aria-current=date]") });
  const entry = today.getByRole("link", { name: /Spring report/ });
  await expect(entry).toContainText("Sent");
  expect(await overflow(page)).toBe(0);

  // The month before has nothing, and the way back is one press.
  const heading = page.getByRole("heading", { level: 1 });
  const month = await heading.textContent();
  await page.getByRole("navigation", { name: "Month" }).getByRole("link").first().click();
  await expect(heading).not.toHaveText(month ?? "");
  await page.getByRole("link", { name: "Today" }).click();
  await expect(heading).toHaveText(month ?? "");

  await page.setViewportSize({ width: 390, height: 800 });
  const agenda = page.getByRole("list", { name: "Days with campaigns" });
  await expect(agenda).toContainText(/today.*Spring report/is);
  expect(await overflow(page)).toBe(0);
  expect(await faults(page)).toEqual([]);
  await agenda.getByRole("link", { name: "Spring report" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/campaigns/${id}$`));
});
