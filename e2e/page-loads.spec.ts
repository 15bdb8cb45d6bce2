import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("a page comes whole: its rows are there before its scripts, and breaks no rule of its policy", async ({
  browser,
  dashboard,
  product,
}) => {
  await callApi(product, "POST", "/v1/contacts", { email: "ada@first.example" });
  const storageState = await dashboard.context().storageState();
  const contacts = `${product.url}/dashboard/${product.projectId}/contacts`;

  const unscripted = await browser.newContext({ storageState, javaScriptEnabled: false });
  const bare = await unscripted.newPage();
  await bare.goto(contacts);
  await expect(bare.getByRole("link", { name: "ada@first.example" })).toBeVisible();
  await unscripted.close();

  const asked: string[] = [];
  const encodings = new Set<string | undefined>();
  dashboard.on("request", (request) => asked.push(request.url()));
  dashboard.on("response", async (response) => {
    const length = Number(response.headers()["content-length"]);
    if (response.url().includes("/_next/static/chunks/") && length > 5000)
      encodings.add(response.headers()["content-encoding"]);
  });
  await dashboard.addInitScript(() => {
    const refused: string[] = [];
    addEventListener("securitypolicyviolation", ({ blockedURI }) => refused.push(blockedURI));
    Object.assign(window, { refused });
  });
  // Of what lies in the browser's store, no answer tells how it was sent.
  const session = await dashboard.context().newCDPSession(dashboard);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const answer = await dashboard.goto(contacts);
  const link = await answer?.headerValue("link");
  for (const font of ["instrument-sans", "fraunces"]) {
    expect(link).toMatch(new RegExp(`/${font}[^,]+\\.woff2>; rel=preload; as=font; crossorigin`));
  }
  await dashboard.waitForLoadState("networkidle");
  // What checks an input comes once somebody is there who might write one.
  const scripts = asked.filter((url) => url.includes("/_next/static/chunks/"));
  const checks = async (url: string) => {
    const text = await (await dashboard.request.get(url)).text();
    return url.endsWith(".js") && text.includes("ZodError");
  };
  expect(scripts.length).toBeGreaterThan(10);
  expect((await Promise.all(scripts.map(checks))).filter(Boolean)).toEqual([]);
  await dashboard.getByRole("button", { name: "Add contact" }).click();
  await dashboard.getByRole("dialog").getByLabel("Email").fill("not an address");
  await dashboard.getByRole("dialog").getByRole("button", { name: "Add" }).click();
  await expect(dashboard.getByText("This is not an email address.")).toBeVisible();
  expect(await dashboard.evaluate("refused")).toEqual([]);
  expect(encodings).toEqual(new Set(["br"]));
  // No page is asked for that nobody follows a link to.
  expect(asked.filter((url) => url.includes("_rsc="))).toEqual([]);
});

test("a page that takes its time is on its way, and one that comes at once is simply there", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts`);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/segments?_rsc=*", async (route) => {
    await held;
    await route.continue();
  });
  const bar = page.getByRole("progressbar", { name: "Loading the page" });
  await expect(bar).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Segments" }).click();
  await expect(bar).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contacts");
  // To where one is: nothing comes any more.
  await page.getByRole("navigation").getByRole("link", { name: "Contacts" }).click();
  await expect(bar).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Segments" }).click();
  await expect(bar).toBeVisible();
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Segments");
  await expect(bar).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contacts");
  await expect(bar).toHaveCount(0);
});

test("a page's scripts are compiled as they arrive, and its first number is prepared beside it", async ({
  dashboard: page,
  product,
}) => {
  const refused: string[] = [];
  page.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  const [worker] = await Promise.all([
    page.waitForEvent("worker"),
    page.goto(`${product.url}/dashboard/${product.projectId}`),
  ]);
  expect(worker.url()).toMatch(/\/_next\/static\/media\/first-numbers\.[^/]+\.js$/);
  const starts = await page.evaluate(() =>
    Promise.all(
      [...document.querySelectorAll<HTMLScriptElement>("script[src*='/_next/static/']")].map(
        async ({ src }) => (await (await fetch(src)).text()).slice(0, 28),
      ),
    ),
  );
  expect(starts.length).toBeGreaterThan(5);
  expect(new Set(starts)).toEqual(new Set(["//# allFunctionsCalledOnLoad"]));
  expect(refused).toEqual([]);
});
