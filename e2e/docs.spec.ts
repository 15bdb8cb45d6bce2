import { overflow } from "./axe";
import { expect, test } from "./fixtures";
import { openPalette } from "./palette";

const phone = { width: 375, height: 740 };

test("from the dashboard to a page of the documentation, a block is copied, and on to the next page", async ({
  dashboard: page,
  product,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${product.url}/dashboard/${product.projectId}`);
  await page.getByRole("button", { name: /Account:/ }).click();
  await page.getByRole("menuitem", { name: "Documentation" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Documentation");
  await page.getByRole("main").getByRole("link", { name: "Quick start" }).click();
  await expect(page).toHaveTitle(/^Quick start · /);
  await page.getByRole("button", { name: "Copy Text 2" }).click();
  await expect(page.getByText("Text 2 copied")).toBeAttached();
  // The address is this installation's own.
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    `export LETTERMILL_URL=${product.url}\n`,
  );

  const neighbours = page.getByRole("navigation", { name: "Previous and next page" });
  await neighbours.getByRole("link", { name: "Next: People and signing in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("People and signing in");
  await neighbours.getByRole("link", { name: "Next: Sending" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sending");
  await expect(
    page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Sending" }),
  ).toHaveAttribute("aria-current", "page");
  await page.getByRole("navigation", { name: "On this page" }).getByText("SMTP").click();
  await expect(page).toHaveURL(/#smtp$/);
  await expect(page.getByRole("heading", { name: /^SMTP/ })).toBeInViewport();
  await neighbours.getByRole("link", { name: "Previous: People and signing in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("People and signing in");
});

test("the palette leads to the documentation", async ({ dashboard: page, product }) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}`);
  await (await openPalette(page)).fill("mailchimp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${product.url}/docs`);
});

test("every page is there for everybody, without scripts too, and fits a phone", async ({
  browser,
  product,
}) => {
  test.setTimeout(120_000);
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: phone });
  const page = await context.newPage();
  await page.goto(`${product.url}/sign-in`);
  await page.getByRole("link", { name: "Documentation" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Documentation");
  const links = await page
    .getByRole("main")
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(links.length).toBeGreaterThan(14);
  for (const link of links) {
    const answer = await page.goto(product.url + link);
    expect.soft(answer?.status(), link).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect.soft(await overflow(page), link).toBeLessThanOrEqual(0);
  }
  await page.getByText("All pages").click();
  await page
    .getByRole("navigation", { name: "All pages" })
    .getByRole("link", { name: "Operation" })
    .click();
  await expect(page.getByRole("img", { name: /Sixty days of warm-up/ })).toHaveJSProperty(
    "complete",
    true,
  );
  await context.close();
});

test("an address without a page is 404 and shows those there are", async ({ page, product }) => {
  for (const path of ["/docs/nowhere", "/docs/guide/sending", "/docs/sending/more"]) {
    const answer = await page.goto(product.url + path);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
    await expect(page.getByRole("main").getByRole("link", { name: "Webhooks" })).toBeVisible();
  }
});
