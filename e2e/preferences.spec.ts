import type { BrowserContext, Page } from "@playwright/test";
import { expect, test as base } from "./fixtures";
import { linkIn, list, mailTo, platform } from "./mailbox";
import { callApi, type Product } from "./product";

/** A reader of mail: no session, and a browser that runs no scripts. */
const test = base.extend<{ reader: Page; readers: BrowserContext }>({
  readers: async ({ browser }, use) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    await use(context);
    await context.close();
  },
  reader: async ({ readers }, use) => use(await readers.newPage()),
});

interface Contact {
  subscribed: boolean;
}
const contact = async (product: Product, email: string) =>
  (await callApi<Contact>(product, "GET", `/v1/contacts/${email}`)).body;

test("somebody confirms, leaves a list, leaves everything and comes back, without a script", async ({
  product,
  dashboard,
  reader,
}) => {
  const owner = dashboard.request;
  const email = "delivered+reader@sandbox.test";
  const weekly = await platform<{ list_uid: string }>(
    product,
    "/lists",
    list("The Weekly & Sons", { subscribe_confirmation: "1", send_welcome_email: "1" }),
  );
  const offers = await platform<{ list_uid: string }>(product, "/lists", list("Offers"));
  for (const { list_uid } of [weekly, offers]) {
    await platform(product, "/subscribers", { list_uid, EMAIL: email, FIRST_NAME: "Ada" });
  }

  const asking = await mailTo(
    owner,
    product,
    email,
    "Please confirm your subscription to The Weekly & Sons",
  );
  const confirm = linkIn(asking, /http\S+\/confirm\/[\w-]+/);
  for (const method of ["GET", "HEAD"]) await fetch(confirm, { method });
  await reader.goto(confirm);
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Confirm your subscription");
  await reader.getByRole("button", { name: "Confirm" }).click();
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("You are on the list");
  await reader.goto(confirm);
  await expect(reader.getByRole("button", { name: "Confirm" })).toHaveCount(0);

  const welcome = await mailTo(owner, product, email, "Welcome to The Weekly");
  const preferences = linkIn(welcome, /http\S+\/preferences\/[\w-]+/);
  const response = await reader.goto(preferences);
  expect(response?.headers()["referrer-policy"]).toBe("no-referrer");
  expect(response?.headers()["x-robots-tag"]).toContain("noindex");
  await expect(reader.getByText(`sends to ${email}`)).toBeVisible();
  const [first, second] = [
    reader.getByRole("listitem").nth(0),
    reader.getByRole("listitem").nth(1),
  ];
  await expect(first).toContainText(/The Weekly & Sons.*You receive it/);
  await expect(second).toContainText(/Offers.*You receive it/);

  await reader.getByRole("button", { name: "Unsubscribe: Offers" }).click();
  await expect(reader.getByRole("alert")).toContainText("You have been unsubscribed from Offers");
  await expect(second).toContainText("You do not receive it");
  await expect(first).toContainText("You receive it");
  expect((await contact(product, email)).subscribed).toBe(true);
  await reader.getByRole("button", { name: "Subscribe again: Offers" }).click();
  await expect(reader.getByRole("alert")).toContainText("You are subscribed to Offers again");

  await reader.getByRole("button", { name: "Unsubscribe from everything" }).click();
  await expect(reader.getByRole("alert")).toContainText(/will send no more newsletters/);
  await expect(reader.getByRole("heading", { name: "unsubscribed from everything" })).toBeVisible();
  await expect(reader.getByRole("listitem").getByRole("button")).toHaveCount(0);
  await expect(reader.getByRole("button", { name: "Subscribe again" })).toHaveCount(1);
  // Left alone, and still not sent: no list may say that it is received.
  await expect(reader.getByText("You receive it")).toHaveCount(0);
  await expect(first).toContainText("nothing is being sent to you");
  expect((await contact(product, email)).subscribed).toBe(false);
  await reader.getByRole("button", { name: "Subscribe again" }).click();
  await expect(reader.getByRole("alert")).toContainText("Welcome back");
  expect((await contact(product, email)).subscribed).toBe(true);

  // What an address claims need not have happened.
  await reader.goto(`${preferences}?done=leave-all`);
  await expect(reader.getByRole("alert")).toHaveCount(0);
});

test("a mail program's one click leaves, a scanner's look does not", async ({
  product,
  dashboard,
  reader,
}) => {
  const email = "delivered+clicker@sandbox.test";
  const { list_uid } = await platform<{ list_uid: string }>(
    product,
    "/lists",
    list("Daily", { send_welcome_email: "1" }),
  );
  await platform(product, "/subscribers", { list_uid, EMAIL: email });
  const mail = await mailTo(dashboard.request, product, email, "Welcome to Daily");
  const header = (name: string) =>
    mail.headers.find((one) => one.name.toLowerCase() === name.toLowerCase())?.value ?? "";
  expect(header("List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
  const [, url = ""] = /^<(http[^>]+)>/.exec(header("List-Unsubscribe")) ?? [];

  for (const method of ["HEAD", "GET"]) {
    expect((await fetch(url, { method, redirect: "manual" })).status).toBe(303);
  }
  await reader.goto(url);
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Unsubscribe?");
  await expect(reader.getByRole("listitem")).toContainText(/Daily.*You receive it/);

  for (let times = 0; times < 2; times++) {
    const answer = await fetch(url, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
      redirect: "error",
    });
    expect(answer.status).toBe(200);
  }
  await reader.goto(url);
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Your email preferences");
  await expect(reader.getByRole("listitem")).toContainText(/Daily.*You do not receive it/);
});

test("a mail is seen in the browser as it came, without running anything, and its way out works", async ({
  product,
  dashboard,
  page,
}) => {
  const email = "delivered+viewer@sandbox.test";
  await callApi(product, "POST", "/v1/send", {
    from: "hello@sandbox.test",
    to: email,
    subject: "A page of one's own",
    tracking: { opens: false, clicks: false },
    body: `<style>h1 { color: rgb(1, 2, 3) }</style><h1>Dear {{ email }}</h1>
      <script>document.title = "ran"</script><img src="x" onerror="document.title = 'ran'">
      <a href="{{ viewUrl }}">View</a> <a href="{{ unsubscribeUrl }}">Leave</a>`,
  });
  const mail = await mailTo(dashboard.request, product, email, "A page");
  const [, view = ""] = /href="(http[^"]+\/view\/[^"]+)"/.exec(mail.html) ?? [];
  const response = await page.goto(view);
  expect(response?.headers()["x-robots-tag"]).toContain("noindex");
  await expect(page.getByRole("heading")).toHaveText(`Dear ${email}`);
  await expect(page.getByRole("heading")).toHaveCSS("color", "rgb(1, 2, 3)");
  expect(await page.title()).not.toBe("ran");
  await page.getByRole("link", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unsubscribe?");
  await page.getByRole("button", { name: "Unsubscribe from everything" }).click();
  await expect(page.getByText(/will send no more newsletters/)).toBeVisible();
  expect((await contact(product, email)).subscribed).toBe(false);
});

test("links that are not ours, and a deleted person's, say so plainly", async ({
  product,
  dashboard,
  reader,
}) => {
  for (const path of ["preferences", "confirm"]) {
    await reader.goto(`${product.url}/${path}/nobody`);
    await expect(reader.getByRole("heading", { level: 1 })).toHaveText("This link does not work");
  }
  expect((await reader.goto(`${product.url}/view/nobody`))?.status()).toBe(404);
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Nothing to show");

  const email = "delivered+gone@sandbox.test";
  await callApi(product, "POST", "/v1/send", {
    from: "hello@sandbox.test",
    to: email,
    subject: "Soon gone",
    body: `<a href="{{ preferencesUrl }}">Preferences</a>`,
    tracking: { opens: false, clicks: false },
  });
  const mail = await mailTo(dashboard.request, product, email, "Soon gone");
  const [, preferences = ""] = /href="(http[^"]+)"/.exec(mail.html) ?? [];
  await callApi(product, "DELETE", `/v1/contacts/${email}`);
  await reader.goto(preferences);
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Nothing to do");
});
