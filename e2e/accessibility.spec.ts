import { faults, overflow, pageMilliseconds } from "./axe";
import { expect, newLoginUrl, test } from "./fixtures";
import { linkIn, list, mailTo, platform } from "./mailbox";
import { openPalette } from "./palette";
import { callApi } from "./product";

const phone = { width: 375, height: 740 };
const quietPages = [
  "/sign-in",
  "/sign-in/forgot",
  "/login/token/unknown",
  "/preferences/unknown",
  "/confirm/unknown",
  "/nowhere",
  "/docs",
  "/docs/sending",
  "/docs/configuration",
  "/docs/operation",
  "/docs/nowhere",
];
/** As the navigation groups them. */
const dashboardParts = {
  audience: [
    "",
    "/contacts",
    "/contacts/import",
    "/contacts/departures",
    "/lists",
    "/lists/new",
    "/forms",
    "/forms/new",
    "/segments",
    "/segments/new",
    "/suppressions",
  ],
  mail: [
    "/campaigns",
    "/campaigns/calendar",
    "/emails",
    "/inbound",
    "/inbound/routes",
    "/templates",
    "/templates/new",
    "/media",
    "/captured",
  ],
  setup: [
    "/domains",
    "/api-keys",
    "/assistants",
    "/webhooks",
    "/settings",
    "/settings/members",
    "/settings/audit",
    "/settings/connections",
    "/settings/topics",
    "/settings/fields",
    "/sending",
  ],
  reference: [
    "/api-reference",
    "/api-reference/createCampaign",
    "/api-reference/platform",
    "/api-reference/platform/createList",
    "/changelog",
  ],
};

const pagesWithControls = [
  "/contacts",
  "/contacts/import",
  "/lists/new",
  "/forms/new",
  "/segments/new",
  "/emails",
  "/templates/new",
  "/settings",
  "/settings/connections",
  "/sending",
];

const unusedLogin = "/login/token of a link that nobody opened yet";
for (const path of [...quietPages, unusedLogin]) {
  test(`axe finds nothing on ${path}, in light and dark`, async ({ page, product }) => {
    await page.goto(path === unusedLogin ? newLoginUrl(product) : product.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect.soft(await faults(page), colorScheme).toEqual([]);
    }
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on what a reader sees, also at 200 %, ${colorScheme}`, async ({
    dashboard,
    browser,
    product,
  }) => {
    test.setTimeout(120_000);
    const email = `delivered+${colorScheme}@sandbox.test`;
    const names = ["News", "An offer a week, with a name that does not fit on the line of a phone"];
    for (const name of names) {
      const switches = { subscribe_confirmation: "1", send_welcome_email: "1" };
      const { list_uid } = await platform<{ list_uid: string }>(
        product,
        "/lists",
        list(name, switches),
      );
      await platform(product, "/subscribers", { list_uid, EMAIL: email });
    }
    const asking = await mailTo(
      dashboard.request,
      product,
      email,
      "Please confirm your subscription to News",
    );
    const confirm = linkIn(asking, /http\S+\/confirm\/[\w-]+/);
    const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
    const page = await context.newPage();
    const check = async (what: string) => {
      // 200 % of a laptop's window, and a phone's.
      for (const viewport of [{ width: 640, height: 400 }, phone]) {
        await page.setViewportSize(viewport);
        expect.soft(await overflow(page), what).toBeLessThanOrEqual(0);
      }
      expect.soft(await faults(page), what).toEqual([]);
    };
    await page.goto(confirm);
    await check("asked to confirm");
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are on the list");
    await check("confirmed");
    const welcome = await mailTo(dashboard.request, product, email, "Welcome to News");
    const preferences = linkIn(welcome, /http\S+\/preferences\/[\w-]+/);
    await page.goto(`${preferences}?unsubscribe=`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unsubscribe?");
    await check("asked to leave");
    await page.getByRole("button", { name: "Unsubscribe from News" }).click();
    await expect(page.getByText("You have been unsubscribed from News")).toBeVisible();
    await check("left a list");
    await page.getByRole("button", { name: "Unsubscribe from everything" }).click();
    await expect(page.getByText("no more newsletters")).toBeVisible();
    await check("left everything");
    await context.close();
  });
}

// A page is loaded once for everything that holds of each page: loading takes longer than looking.
for (const [part, paths] of Object.entries(dashboardParts)) {
  test(`axe finds nothing on the dashboard, ${part}, its pages fit a phone and keep their policy`, async ({
    dashboard,
    product,
  }) => {
    test.setTimeout(paths.length * pageMilliseconds);
    await callApi(product, "POST", "/v1/send", {
      from: "hello@sandbox.test",
      to: "delivered+axe@sandbox.test",
      subject: "For axe",
      body: "<p>Hello</p>",
    });
    const broken: string[] = [];
    dashboard.on("console", (message) => {
      if (/content security policy|hydrat/i.test(message.text())) broken.push(message.text());
    });
    dashboard.on("pageerror", (error) => broken.push(error.message));
    for (const path of paths) {
      await dashboard.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      const response = await dashboard.goto(`${product.url}/dashboard/${product.projectId}${path}`);
      await expect(dashboard.getByRole("heading", { level: 1 })).toBeVisible();
      const headers = response?.headers() ?? {};
      expect(response?.status(), path).toBe(200);
      expect(headers["content-security-policy"]).toMatch(/script-src[^;]*'nonce-/);
      expect(headers["content-security-policy"]).not.toMatch(/script-src[^;]*'unsafe-inline'/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      // The palette opens once the page's scripts run.
      await openPalette(dashboard);
      await dashboard.keyboard.press("Escape");
      await expect(dashboard.getByRole("dialog")).toHaveCount(0);
      expect.soft(await faults(dashboard), `${path}, light`).toEqual([]);
      await dashboard.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      expect.soft(await faults(dashboard), `${path}, dark`).toEqual([]);
      await dashboard.setViewportSize(phone);
      expect.soft(await overflow(dashboard), path).toBeLessThanOrEqual(0);
      await dashboard.setViewportSize({ width: 1280, height: 800 });
    }
    expect(broken).toEqual([]);
  });
}

test("every control has its name before the page's scripts run", async ({
  browser,
  dashboard,
  product,
}) => {
  test.setTimeout(pagesWithControls.length * pageMilliseconds);
  const context = await browser.newContext({
    storageState: await dashboard.context().storageState(),
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.route("**/_next/static/**/*.js", (route) => route.abort());
  for (const path of pagesWithControls) {
    await page.goto(`${product.url}/dashboard/${product.projectId}${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect.soft(await faults(page), path).toEqual([]);
  }
  await context.close();
});

test("axe finds nothing on a list's own pages, in light and dark, and they fit a phone", async ({
  dashboard,
  product,
}) => {
  test.setTimeout(120_000);
  const answer = await dashboard.request.post(
    `${product.url}/api/dashboard/${product.projectId}/v1/lists`,
    {
      headers: { origin: product.url },
      data: { name: "A list for axe", fromEmail: "news@sandbox.test" },
    },
  );
  expect(answer.status()).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  for (const path of [`/lists/${id}`, `/lists/${id}/settings`]) {
    await dashboard.setViewportSize({ width: 1280, height: 800 });
    await dashboard.goto(`${product.url}/dashboard/${product.projectId}${path}`);
    await expect(dashboard.getByRole("heading", { level: 1 })).toHaveText("A list for axe");
    for (const colorScheme of ["light", "dark"] as const) {
      await dashboard.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect.soft(await faults(dashboard), `${path}, ${colorScheme}`).toEqual([]);
    }
    await dashboard.setViewportSize(phone);
    expect.soft(await overflow(dashboard), path).toBeLessThanOrEqual(0);
  }
});

test("axe finds nothing on a campaign that is written and on one that was sent, which fit a phone", async ({
  dashboard,
  product,
}) => {
  test.setTimeout(120_000);
  const content = { name: "News", subject: "News", from: "news@sandbox.test", body: "<p>Hi</p>" };
  const make = async (fields: object) =>
    (await callApi<{ id: string }>(product, "POST", "/v1/campaigns", fields)).body.id;
  const sent = await make(content);
  await callApi(product, "POST", `/v1/campaigns/${sent}/send`);
  const scheduled = await make(content);
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  await callApi(product, "POST", `/v1/campaigns/${scheduled}/schedule`, { scheduledAt });
  const drafts = [await make(content), await make({ name: "Unwritten", incomplete: true })];
  for (const colorScheme of ["light", "dark"] as const) {
    await dashboard.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const id of [sent, scheduled, ...drafts]) {
      await dashboard.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${id}`);
      await expect(dashboard.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(dashboard.getByText("…", { exact: true })).toHaveCount(0);
      expect.soft(await faults(dashboard), id).toEqual([]);
      await dashboard.setViewportSize(phone);
      expect.soft(await overflow(dashboard), id).toBeLessThanOrEqual(0);
      await dashboard.setViewportSize({ width: 1280, height: 800 });
    }
  }
});

test("axe finds nothing in a toast that says what failed", async ({ dashboard, product }) => {
  const { body } = await callApi<{ data: { id: string }[] }>(product, "GET", "/v1/domains");
  await dashboard.goto(`${product.url}/dashboard/${product.projectId}/domains/${body.data[0]?.id}`);
  await dashboard.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: null }));
  await dashboard.getByRole("button", { name: "Copy domain id" }).click();
  await expect(dashboard.getByText("Copying needs https")).toBeVisible();
  await expect(dashboard.getByRole("button", { name: "Dismiss" })).toBeVisible();
  expect(await faults(dashboard)).toEqual([]);
});

test("the navigation is within reach on a phone", async ({ dashboard, product }) => {
  await dashboard.setViewportSize(phone);
  await dashboard.goto(`${product.url}/dashboard/${product.projectId}`);
  await dashboard
    .getByRole("button", { name: /menu|navigation/i })
    .first()
    .click();
  await dashboard.getByRole("link", { name: "Domains" }).click();
  await expect(dashboard).toHaveURL(/\/domains$/);
});

test("a dialog that names somebody with a long address fits a phone", async ({
  dashboard,
  product,
}) => {
  const email = `${"a".repeat(60)}@sandbox.test`;
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/contacts", { email });
  await dashboard.setViewportSize(phone);
  await dashboard.goto(`${product.url}/dashboard/${product.projectId}/contacts/${body.id}`);
  await dashboard.getByRole("button", { name: "Delete" }).first().click();
  const dialog = dashboard.getByRole("dialog");
  await expect(dialog).toContainText(email);
  for (const part of [dialog.getByRole("heading"), dialog.getByRole("button", { name: "Close" })]) {
    const { x, width } = (await part.boundingBox()) ?? { x: -1, width: 0 };
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(phone.width);
  }
});
