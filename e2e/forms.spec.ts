import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { faults, overflow } from "./axe";
import { expect, test } from "./fixtures";
import { linkIn, list, mailTo, platform } from "./mailbox";
import { callApi, type Product } from "./product";

interface Form {
  id: string;
  url: string;
  figures: { seen: number; sent: number; confirmed: number; refused: number };
}

const makeForm = async (product: Product, input: object): Promise<Form> => {
  const { status, body } = await callApi<Form>(product, "POST", "/v1/forms", input);
  expect(status).toBe(201);
  return body;
};
const figuresOf = async (product: Product, { id }: Form) =>
  (await callApi<Form>(product, "GET", `/v1/forms/${id}`)).body.figures;
const isSubscribed = async (product: Product, email: string) => {
  const { status, body } = await callApi<{ subscribed: boolean }>(
    product,
    "GET",
    `/v1/contacts/${email}`,
  );
  return status === 200 && body.subscribed;
};
const confirmPart = /http\S+\/f\/confirm\/[\w-]+/;

/** A form counts as filled in by hand two seconds after it was opened at the earliest. */
async function untilFilledIn(): Promise<void> {
  const openedAt = Date.now();
  await expect.poll(() => Date.now() - openedAt).toBeGreaterThan(2_000);
}

const languages = ["en", "de", "fr", "es", "pl"];
const addressIn = (language: string) => `${language}@forms.example`;

test("a form is made in two clicks, written beside its preview, put on a page, closed and deleted", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(180_000);
  await platform(product, "/lists", list("News from the mill"));
  const forms = `${product.url}/dashboard/${product.projectId}/forms`;
  await page.goto(forms);
  expect(await faults(page)).toEqual([]);
  await page.getByRole("link", { name: "Create form" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New form");
  const preview = page.frameLocator("iframe[title='Preview of the form']");
  await expect(preview.getByRole("heading", { level: 1 })).toContainText("News from the mill");
  await expect(preview.getByLabel("First name (optional)")).toBeVisible();
  await page.getByRole("button", { name: "Create form" }).click();

  // It has a link and a snippet at once.
  await expect(page.getByRole("heading", { name: "Snippet", exact: true })).toBeVisible();
  const url = (await page.getByRole("link", { name: "Open the page" }).getAttribute("href")) ?? "";
  expect((await fetch(url)).status).toBe(200);
  await expect(page.getByRole("region", { name: "snippet" })).toContainText(`action="${url}"`);
  expect(await faults(page)).toEqual([]);

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel(/^Heading\s*optional$/).fill("News from the shop");
  await expect(preview.getByRole("heading", { level: 1 })).toHaveText("News from the shop");
  await page.getByRole("button", { name: "Add question" }).click();
  await page.getByRole("menuitem", { name: "A custom attribute…" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("This is empty.")).toBeVisible();
  const city = page.getByRole("listitem").filter({ hasText: "custom attribute" });
  await city.getByLabel("Label").fill("City");
  await city.getByLabel("Kept as").fill("city");
  await page.getByRole("button", { name: "Move up: City" }).click();
  await expect(preview.getByLabel("City (optional)")).toBeVisible();
  await page.getByRole("radio", { name: /A page of yours/ }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Name the address, or choose our page.")).toBeVisible();
  await page.getByLabel("Address", { exact: true }).fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("This is not a web address (https://...).")).toBeVisible();
  await page.getByRole("radio", { name: /A page here/ }).click();
  await page.getByRole("switch", { name: "Ask to confirm by email" }).click();
  await expect(page.getByText("Anybody can then sign up anybody")).toBeVisible();
  await page.getByRole("switch", { name: "Ask to confirm by email" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await expect(page.getByText(/^Saved/)).toBeVisible();
  expect(await faults(page)).toEqual([]);
  const asked = await (await fetch(url)).text();
  expect(asked.indexOf("City")).toBeGreaterThan(0);
  expect(asked.indexOf("City")).toBeLessThan(asked.indexOf("First name"));

  await page.getByRole("switch", { name: "Takes sign-ups" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(async () => (await fetch(url)).status).toBe(410);
  await page.getByRole("link", { name: "Results" }).click();
  await expect(page.getByText("This form is closed")).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Delete “Sign-up form”?" });
  await question.getByRole("button", { name: "Delete form" }).click();
  await expect(page).toHaveURL(/\/forms$/);
  expect((await fetch(url)).status).toBe(404);
});

test("without script people sign up and confirm in each language, and a campaign reaches exactly them", async ({
  dashboard,
  browser,
  product,
}) => {
  test.setTimeout(240_000);
  const { list_uid: listId } = await platform<{ list_uid: string }>(
    product,
    "/lists",
    list("Reisepost"),
  );
  const form = await makeForm(product, {
    name: "In five languages",
    listId,
    questions: [{ key: "firstName", label: "", required: true }],
  });
  const emails = languages.map((language) => [language, addressIn(language)] as const);
  for (const [language, email] of emails) {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: language });
    const reader = await context.newPage();
    await reader.goto(form.url);
    await expect(reader.locator("html")).toHaveAttribute("lang", language);
    await untilFilledIn();
    await reader.locator("input[type=email]").fill(email);
    await reader.locator("input[autocomplete=given-name]").fill("Ada");
    await reader.locator("button.primary").click();
    await expect(reader).toHaveURL(/\/sent$/);
    await expect(reader.locator("html")).toHaveAttribute("lang", language);
    expect(await isSubscribed(product, email)).toBe(false);

    const mail = await mailTo(dashboard.request, product, email, "");
    expect(mail.subject).toContain("Reisepost");
    const link = linkIn(mail, confirmPart);
    for (const method of ["GET", "HEAD"]) await fetch(link, { method });
    expect(await isSubscribed(product, email)).toBe(false);
    await reader.goto(link);
    await expect(reader.locator("html")).toHaveAttribute("lang", language);
    await reader.locator("button.primary").click();
    await expect(reader.locator("button.primary")).toHaveCount(0);
    expect(await isSubscribed(product, email)).toBe(true);
    await context.close();
  }
  // One more who never confirms.
  const context = await browser.newContext({ javaScriptEnabled: false });
  const reader = await context.newPage();
  const idle = addressIn("idle");
  await reader.goto(form.url);
  await untilFilledIn();
  await reader.locator("input[type=email]").fill(idle);
  await reader.locator("input[autocomplete=given-name]").fill("Grace");
  await reader.locator("button.primary").click();
  await expect(reader).toHaveURL(/\/sent$/);
  await mailTo(dashboard.request, product, idle, "Please confirm");
  await context.close();
  expect(await figuresOf(product, form)).toMatchObject({ seen: 6, sent: 6, confirmed: 5 });

  const { body: campaign } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    ...{ name: "To those who confirmed", subject: "Post is here", from: "news@sandbox.test" },
    ...{ body: "<p>Hello {{ firstName }}</p>", listId },
  });
  await callApi(product, "POST", `/v1/campaigns/${campaign.id}/send`);
  const state = async () => {
    const path = `/v1/campaigns/${campaign.id}`;
    const { body } = await callApi<{ status: string; stats: { recipients: number } }>(
      product,
      "GET",
      path,
    );
    return [body.status, body.stats.recipients];
  };
  await expect.poll(state, { timeout: 60_000 }).toEqual(["SENT", 5]);
  for (const [, email] of emails) await mailTo(dashboard.request, product, email, "Post is here");
  const to = await dashboard.request.get(
    `${product.url}/api/dashboard/${product.projectId}/v1/captured?search=${encodeURIComponent(idle)}`,
  );
  const { data } = (await to.json()) as { data: { subject: string }[] };
  expect(data.map(({ subject }) => subject)).toEqual([expect.stringContaining("Please confirm")]);

  // Their page says how they came.
  await dashboard.goto(
    `${product.url}/dashboard/${product.projectId}/contacts?search=${encodeURIComponent(addressIn("de"))}`,
  );
  await dashboard.getByRole("link", { name: addressIn("de") }).click();
  await dashboard.getByRole("link", { name: "the form In five languages" }).click();
  await expect(dashboard.getByRole("heading", { level: 1 })).toHaveText("In five languages");
  await expect(
    dashboard.locator("dl > div", { hasText: "Confirmed" }).locator("dd").first(),
  ).toHaveText("5");
});

test("with script the page proves its work before it is sent", async ({
  dashboard,
  page,
  product,
}) => {
  test.setTimeout(120_000);
  const form = await makeForm(product, { name: "Proven", proofOfWork: true, doubleOptIn: false });
  const email = addressIn("proof");
  await page.goto(form.url);
  await untilFilledIn();
  await page.getByLabel("Email address").fill(email);
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Subscribe" }).click();
  const posted = new URLSearchParams((await sent).postData() ?? "");
  expect(posted.get("proof")).toMatch(/^\d+$/);
  await expect(page).toHaveURL(/\/sent$/);
  // Proven and without double opt-in: subscribed at once, and no mail asks to confirm.
  expect(await isSubscribed(product, email)).toBe(true);
  const captured = await dashboard.request.get(
    `${product.url}/api/dashboard/${product.projectId}/v1/captured?search=${encodeURIComponent(email)}`,
  );
  expect(((await captured.json()) as { data: unknown[] }).data).toEqual([]);
});

test("the snippet works on somebody else's page, at another port", async ({
  dashboard,
  page,
  product,
}) => {
  test.setTimeout(120_000);
  const form = await makeForm(product, {
    name: "Pasted",
    questions: [{ key: "firstName", label: "", required: false }],
  });
  const { body } = await callApi<{ html: string; bytes: number }>(
    product,
    "GET",
    `/v1/forms/${form.id}/snippet`,
  );
  expect(body.bytes).toBeLessThan(6_000);
  const foreign = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>Our shop</h1>${body.html}</main></body></html>`,
    );
  });
  await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  try {
    const email = addressIn("snippet");
    await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
    expect(await faults(page)).toEqual([]);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("First name").fill("Ada");
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByText("press the button once more")).toBeVisible();
    expect(page.url()).toBe(form.url);
    await untilFilledIn();
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page).toHaveURL(/\/sent/);
    const mail = await mailTo(dashboard.request, product, email, "Please confirm");
    await page.goto(linkIn(mail, confirmPart));
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are on the list");
    expect(await isSubscribed(product, email)).toBe(true);
    expect(await figuresOf(product, form)).toMatchObject({ seen: 1, sent: 1, confirmed: 1 });
  } finally {
    foreign.close();
  }
});

test("a program is answered like a person, and nobody is mailed", async ({
  dashboard,
  browser,
  product,
}) => {
  const form = await makeForm(product, { name: "Trapped" });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const robot = await context.newPage();
  const email = addressIn("robot");
  await robot.goto(form.url);
  await robot.locator("input[type=email]").fill(email);
  const stamp = (await robot.locator("input[name=stamp]").getAttribute("value")) ?? "";
  // Too fast: asked to press once more, like a person whose page is too old.
  await robot.locator("button.primary").click();
  await expect(robot.getByText("press the button once more")).toBeVisible();
  await context.close();
  const trapped = await fetch(form.url, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ email, stamp, homepage: "https://spam.example" }),
  });
  expect(trapped.status).toBe(303);
  expect(trapped.headers.get("location")).toBe(`/f/${form.id}/sent`);
  expect(await figuresOf(product, form)).toMatchObject({ sent: 0, refused: 1 });
  const captured = await dashboard.request.get(
    `${product.url}/api/dashboard/${product.projectId}/v1/captured?search=${encodeURIComponent(email)}`,
  );
  expect(((await captured.json()) as { data: unknown[] }).data).toEqual([]);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on a form's pages, also on a phone and at 200 %, ${colorScheme}`, async ({
    dashboard,
    browser,
    product,
  }) => {
    test.setTimeout(180_000);
    const form = await makeForm(product, {
      name: `Looked at in the ${colorScheme}`,
      questions: [
        { key: "firstName", label: "", required: true },
        {
          key: "data.city",
          label: "City, with a label that is rather long for a phone",
          required: false,
        },
      ],
      texts: { lead: "A letter a week.", consent: "You can leave at any time." },
      look: { color: "#ffd400", corner: 12, width: 640 },
    });
    const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
    const page = await context.newPage();
    const check = async (what: string, open: Page) => {
      for (const viewport of [
        { width: 640, height: 400 },
        { width: 375, height: 740 },
      ]) {
        await open.setViewportSize(viewport);
        expect.soft(await overflow(open), what).toBeLessThanOrEqual(0);
      }
      expect.soft(await faults(open), what).toEqual([]);
    };
    await page.goto(form.url);
    await check("form", page);
    await page
      .locator("form")
      .evaluate((element) => ((element as HTMLFormElement).noValidate = true));
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByText("Something is missing")).toBeVisible();
    await check("faults", page);
    await untilFilledIn();
    await page.getByLabel("Email address").fill("ada@gmial.com");
    await page.getByLabel("First name").fill("Ada");
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByText("ada@gmail.com").first()).toBeVisible();
    await check("advice", page);
    await page.goto(`${form.url}/sent`);
    await check("sent", page);
    await context.close();

    await dashboard.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const base = `${product.url}/dashboard/${product.projectId}/forms`;
    for (const path of ["", "/new", `/${form.id}`, `/${form.id}/share`, `/${form.id}/edit`]) {
      await dashboard.setViewportSize({ width: 1280, height: 900 });
      await dashboard.goto(base + path);
      await expect(dashboard.getByRole("heading", { level: 1 })).toBeVisible();
      expect.soft(await faults(dashboard), path).toEqual([]);
      await dashboard.setViewportSize({ width: 375, height: 740 });
      expect.soft(await overflow(dashboard), path).toBeLessThanOrEqual(0);
    }
  });
}
