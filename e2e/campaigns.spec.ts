import type { Page } from "@playwright/test";
import { faults } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { mailTo } from "./mailbox";
import { callApi, type Product } from "./product";

/** Contacts in a segment that nobody else is in; returns the segment's id. */
async function audience(product: Product, plan: string, count: number): Promise<string> {
  for (let from = 0; from < count; from += 1000) {
    const contacts = Array.from({ length: Math.min(1000, count - from) }, (_, index) => ({
      email: `delivered+${plan}${from + index}@sandbox.test`,
      firstName: `Reader ${from + index}`,
      data: { plan },
    }));
    await callApi(product, "POST", "/v1/contacts/bulk", { contacts });
  }
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: `Plan ${plan}`,
    filter: { and: [{ field: "data.plan", op: "eq", value: plan }] },
  });
  return body.id;
}

const figure = (page: Page, label: string) =>
  page
    .locator("dl > div", { has: page.getByText(label, { exact: true }) })
    .locator("dd")
    .first();

test("a campaign is written, tried, sent to exactly its audience and watched to its end", async ({
  dashboard: page,
  product,
}) => {
  await audience(product, "autumn", 3);
  await callApi(product, "POST", "/v1/contacts", {
    email: "delivered+autumn2@sandbox.test",
    unsubscribed: true,
  });
  const campaigns = `${product.url}/dashboard/${product.projectId}/campaigns`;
  await page.goto(campaigns);
  await page.getByRole("button", { name: "Create campaign" }).click();
  const creating = page.getByRole("dialog", { name: "Create a campaign" });
  await creating.getByLabel("Name").fill("Autumn news");
  await creating.getByRole("button", { name: "Start writing" }).click();
  // Nobody is chosen by not choosing.
  await expect(creating.getByText("Choose who gets it.")).toBeVisible();
  await creating.getByRole("radio", { name: /Everybody subscribed/ }).click();
  await creating.getByRole("button", { name: "Start writing" }).click();
  await expect(page).toHaveURL(/\/campaigns\/cmp_\w+$/);

  // Designs to begin with are those that go to many: a receipt is sent by a program.
  const designs = page.getByRole("region", { name: "Begin with" });
  await expect(designs.getByRole("button", { name: /^Newsletter/ })).toBeVisible();
  await expect(designs.getByRole("button", { name: /^Receipt/ })).toHaveCount(0);

  // Nothing can be sent while something is missing.
  const send = page.getByRole("button", { name: /^Send to/ });
  await expect(send).toBeDisabled();
  await page.getByRole("radio", { name: /A segment/ }).click();
  await chooseOption(page.getByRole("combobox", { name: "Segment" }), "Plan autumn");
  await expect(page.getByTestId("estimate")).toHaveText("2");
  await page.getByLabel("Sender name").fill("Example");
  await page.getByLabel("Sender address").fill("news@nowhere.example");
  await expect(page.getByText("nowhere.example is not verified")).toBeVisible();
  await expect(page.getByText(/You can send from nowhere\.example once it is/)).toBeVisible();
  await page.getByLabel("Sender address").fill("news@sandbox.test");
  await page.getByRole("textbox", { name: "Subject" }).fill("Leaves for {{ firstName }}");
  await page.getByRole("button", { name: /^HTML/ }).click();
  await page
    .getByRole("textbox", { name: "HTML" })
    .fill('<p>Hello {{ firstName }}, <a href="https://example.com/leaves">leaves</a></p>');
  await expect(page.getByText("An unsubscribe link will be added")).toBeVisible();
  await page.getByRole("tab", { name: "Preview" }).click();
  await expect(page.getByTestId("preview-subject")).toHaveText("Leaves for Ada");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();

  // It is there after a reload, and a test of it arrives.
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Subject" })).toHaveValue(
    "Leaves for {{ firstName }}",
  );
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByRole("dialog").getByLabel("To").fill("delivered+tester@sandbox.test");
  await page.getByRole("button", { name: "Send test" }).click();
  await mailTo(page.request, product, "delivered+tester@sandbox.test", "[Test] Leaves for");

  // It says how many people it goes to before it does, and then watches.
  await expect(page.getByTestId("estimate")).toHaveText("2");
  await send.click();
  const dialog = page.getByRole("dialog", { name: "Send “Autumn news” to 2 people?" });
  await expect(dialog.getByText("So far nothing leaves this installation")).toBeVisible();
  await dialog.getByRole("button", { name: "Send to 2 people" }).click();
  await expect(page.getByTestId("status").first()).toHaveText("Sent", { timeout: 20_000 });
  // At the top of the page, however far down the composer was.
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(figure(page, "Recipients")).toHaveText("2");
  await expect(figure(page, "Delivered")).toHaveText("2");
  await expect(page.getByRole("table", { name: "Links" })).toContainText("example.com/leaves");
  for (const at of [0, 1]) {
    const email = `delivered+autumn${at}@sandbox.test`;
    await mailTo(page.request, product, email, `Leaves for Reader ${at}`);
  }

  // The list knows; a copy is a draft.
  await page.goto(`${campaigns}?search=autumn`);
  const row = page.getByRole("row", { name: /Autumn news/ });
  await expect(row).toContainText("Sent");
  const base = page.getByRole("columnheader", { name: /^Opened of (delivered|accepted)$/ });
  await expect(base).toBeVisible();
  await page.getByRole("link", { name: "Autumn news" }).click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Copy of Autumn news");
});

test("on a phone a campaign is paused, stays so, and is resumed to its end", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  const recipients = 3000;
  const segmentId = await audience(product, "winter", recipients);
  const created = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Winter news",
    subject: "Snow",
    from: "news@sandbox.test",
    body: "<p>Snow</p>",
    segmentId,
  });
  const { id } = created.body;
  await page.setViewportSize({ width: 375, height: 740 });
  await callApi(product, "POST", `/v1/campaigns/${id}/send`);
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${id}`);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await page.reload();
  await expect(page.getByTestId("status").first()).toHaveText("Paused");
  await expect(page.getByTestId("progress")).toContainText("Nothing is sent until you resume it");

  // Mail being handed over is done within five seconds; then the count stops changing.
  const sentNow = async () => {
    const path = `/v1/campaigns/${id}`;
    const { body } = await callApi<{ stats: { sent: number } }>(product, "GET", path);
    return body.stats.sent;
  };
  let sent = -1;
  await expect
    .poll(
      async () => {
        const before = sent;
        sent = await sentNow();
        return sent === before;
      },
      { intervals: [1_500], timeout: 10_000 },
    )
    .toBe(true);
  expect(sent).toBeLessThan(recipients);

  await page.goto(`${product.url}/dashboard/${product.projectId}`);
  const onOverview = page.getByRole("listitem").filter({ hasText: "Winter news" });
  await expect(onOverview).toContainText("Paused");
  await onOverview.getByRole("link").click();

  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByTestId("status").first()).toHaveText("Sent", { timeout: 60_000 });
  await expect(figure(page, "Delivered")).toHaveText("3,000");
});

test("a subject that does not parse is refused where it is written, before anybody confirms", async ({
  dashboard: page,
  product,
}) => {
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Faulty subject",
    subject: "Hello",
    from: "news@sandbox.test",
    body: "<p>Hello</p>",
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${body.id}`);
  const send = page.getByRole("button", { name: /^Send (to|now)/ });
  await expect(send).toBeEnabled();
  const subject = page.getByRole("textbox", { name: "Subject", exact: true });
  await subject.fill("Hello {{ firstName | nosuch }}");
  await expect(page.getByText(/undefined filter: nosuch/).first()).toBeVisible();
  await expect(subject).toHaveAttribute("aria-invalid", "true");
  await expect(send).toBeDisabled();
  await subject.fill("Hello again");
  await expect(send).toBeEnabled();

  // Pressed before the server has seen it: no dialog either. It may have by now, on a slow machine.
  await subject.fill("Hello {{ firstName | nosuch }}");
  await send.click({ force: true });
  await expect(subject).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a campaign that went back to draft is scheduled again by an undo", async ({
  dashboard: page,
  product,
}) => {
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    ...{ name: "Spring", subject: "Hi", from: "news@sandbox.test", body: "<p>Hi</p>" },
  });
  const scheduledAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const scheduled = `/v1/campaigns/${body.id}`;
  // By a person: what a test key schedules is a test.
  const answer = await page.request.post(
    `${product.url}/api/dashboard/${product.projectId}${scheduled}/schedule`,
    { headers: { origin: product.url }, data: { scheduledAt, timeZone: "Europe/Berlin" } },
  );
  expect(answer.status()).toBe(200);
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${body.id}`);
  await page.getByRole("button", { name: "Back to draft" }).click();
  await expect(page.getByText("Spring is a draft again")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Spring is scheduled", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Back to draft" })).toBeVisible();
  const { body: after } = await callApi<{ status: string; scheduledAt: string; timeZone: string }>(
    product,
    "GET",
    scheduled,
  );
  expect(after).toMatchObject({ status: "SCHEDULED", scheduledAt, timeZone: "Europe/Berlin" });
});

test("a version is compared and put back, an undo brings back what it replaced, and all stay readable", async ({
  dashboard: page,
  product,
}) => {
  // By a program: what a person writes over it is another's.
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    ...{ name: "Rewritten", subject: "First subject", from: "news@sandbox.test" },
    body: "<p>The body</p>",
  });
  const api = `/v1/campaigns/${body.id}`;
  const stored = async () => (await callApi<{ subject: string }>(product, "GET", api)).body.subject;
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${body.id}`);
  const subject = page.getByRole("textbox", { name: "Subject", exact: true });
  await subject.fill("Second subject");

  // What was typed a moment ago is among them.
  await page.getByRole("button", { name: "Versions" }).click();
  const dialog = page.getByRole("dialog", { name: "Versions" });
  const versions = dialog.getByRole("list", { name: "Versions" }).getByRole("listitem");
  await expect(versions).toHaveCount(2);
  await expect(versions.nth(0)).toContainText("Second subject");
  await expect(versions.nth(0)).toContainText("current");
  await expect(versions.nth(1)).toContainText("First subject");
  await dialog.getByRole("button", { name: "Compare version 1" }).click();
  const comparison = dialog.getByRole("region", { name: "Comparison" });
  const inSubject = comparison.getByRole("region", { name: "Subject" });
  await expect(inSubject.locator("del")).toHaveText("First");
  await expect(inSubject.locator("ins")).toHaveText("Second");
  await expect(comparison.getByRole("region", { name: "HTML" })).toHaveCount(0);
  const frame = comparison.frameLocator('iframe[title="Version 1"]');
  await expect(frame.getByText("The body")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "All versions" }).click();
  await dialog.getByRole("button", { name: "Restore version 1" }).click();
  await expect(page.getByText("Version 1 is restored")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(subject).toHaveValue("First subject");
  expect(await stored()).toBe("First subject");

  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Version 2 is restored")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo", exact: true })).toHaveCount(0);
  await expect(subject).toHaveValue("Second subject");
  expect(await stored()).toBe("Second subject");
  // It goes on being saved, from there.
  await subject.fill("Third subject");
  await expect.poll(stored).toBe("Third subject");

  const scheduledAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await callApi(product, "POST", `${api}/schedule`, { scheduledAt });
  await page.reload();
  await expect(page.getByTestId("status").first()).toHaveText("Scheduled");
  await page.getByRole("button", { name: "Versions" }).click();
  await expect(versions).toHaveCount(5);
  await expect(versions.nth(0)).toContainText("Third subject");
  await expect(dialog.getByRole("button", { name: /^Restore/ })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Compare version 5" }).click();
  await expect(inSubject.locator("del")).toHaveText("Second");
  await expect(inSubject.locator("ins")).toHaveText("Third");
});
