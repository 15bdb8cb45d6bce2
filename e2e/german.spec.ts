import type { Page } from "@playwright/test";
import { faults, overflow } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

/** What React says where the browser makes another page of the same data than the server did. */
function watchMismatches(page: Page): string[] {
  const mismatches: string[] = [];
  const keep = (text: string) => {
    if (/hydrat|error #(418|423|425)/i.test(text)) mismatches.push(`${page.url()}: ${text}`);
  };
  page.on("console", (message) => keep(message.text()));
  page.on("pageerror", (error) => keep(error.message));
  return mismatches;
}

const pages: Readonly<Record<string, string>> = {
  "": "Übersicht",
  contacts: "Kontakte",
  lists: "Listen",
  forms: "Formulare",
  segments: "Segmente",
  suppressions: "Sperren",
  campaigns: "Kampagnen",
  emails: "E-Mails",
  templates: "Vorlagen",
  media: "Mediathek",
  domains: "Domains",
  "api-keys": "API-Schlüssel",
  webhooks: "Webhooks",
  settings: "Einstellungen",
};

test.describe("for a German reader", () => {
  // Once signed in, which the fixture does in English; what a browser asks for is another test's.
  test.beforeEach(async ({ dashboard, product }) => {
    await dashboard.context().addCookies([{ name: "language", value: "de", url: product.url }]);
  });

  test("designs to begin with are in German, and so is the email that comes of one", async ({
    dashboard: page,
    product,
  }) => {
    await page.goto(`${product.url}/dashboard/${product.projectId}/templates/new`);
    const language = page.getByRole("combobox", { name: "Sprache der Designs" });
    // The project writes English, whoever reads the dashboard.
    await expect(language).toHaveText("English");
    await chooseOption(language, "Deutsch");
    await expect(language).toHaveText("Deutsch");
    await page
      .getByRole("button", { name: /^Willkommen/ })
      .first()
      .click();
    const canvas = page.getByRole("textbox", { name: "E-Mail", exact: true });
    await expect(canvas.getByText("Schön, dass Sie da sind")).toBeVisible();
    await page.getByRole("tab", { name: "Ganze E-Mail" }).click();
    await expect(page.getByRole("combobox", { name: "Sprache" })).toHaveText("Deutsch");
    expect(await faults(page)).toEqual([]);
    await page.getByRole("button", { name: "Vorlage erstellen" }).click();
    await expect(page).toHaveURL(/\/templates\/tpl_/);
    const id = page.url().split("/").at(-1) ?? "";
    const { body } = await callApi<{ body: string; subject: string }>(
      product,
      "GET",
      `/v1/templates/${id}`,
    );
    expect(body.body).toContain('<html lang="de"');
    expect(body.body).toContain("Abmelden");
    expect(body.subject).toContain("Willkommen");
  });

  test("every page is German, from the server and in the browser", async ({
    dashboard: page,
    product,
  }) => {
    test.setTimeout(180_000);
    const mismatches = watchMismatches(page);
    await callApi(product, "POST", "/v1/contacts", { email: "ada@example.com", subscribed: true });
    for (const [path, title] of Object.entries(pages)) {
      await page.goto(`${product.url}/dashboard/${product.projectId}/${path}`);
      await expect(page.locator("html")).toHaveAttribute("lang", "de");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    }
    expect(mismatches).toEqual([]);
    await page.setViewportSize({ width: 375, height: 740 });
    for (const path of ["contacts", "campaigns", "settings"]) {
      await page.goto(`${product.url}/dashboard/${product.projectId}/${path}`);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    }
    expect(await faults(page)).toEqual([]);
  });

  test("the reader can choose English, and programs are not answered in German", async ({
    dashboard: page,
    product,
  }) => {
    await page.goto(`${product.url}/dashboard/${product.projectId}/emails`);
    await page.getByRole("button", { name: /^Konto/ }).click();
    await page.getByRole("menuitemradio", { name: "English" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Emails");
    await expect(page.locator("html")).toHaveAttribute("lang", "en-GB");
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("E-Mails");
    const answer = await fetch(`${product.url}/v1/campaigns/none`, {
      headers: { authorization: `Bearer ${product.apiKey}`, "accept-language": "de" },
    });
    expect(await answer.text()).not.toMatch(/nicht/);
  });
});

test.describe("for an American reader", () => {
  test.use({ locale: "en-US" });

  test("dates are written as in America, from the server and in the browser", async ({
    dashboard: page,
    product,
  }) => {
    const mismatches = watchMismatches(page);
    const { body } = await callApi<{ id: string; createdAt: string }>(
      product,
      "POST",
      "/v1/contacts",
      { email: "ada@america.example" },
    );
    const url = `${product.url}/dashboard/${product.projectId}/contacts/${body.id}`;
    const year = new Date(body.createdAt).getUTCFullYear();
    const month = new Intl.DateTimeFormat("en-US", { month: "short" }).format(new Date());
    const american = new RegExp(`${month} \\d{1,2}, ${year}`);
    await page.goto(url);
    await expect(page.locator("html")).toHaveAttribute("lang", "en-US");
    await expect(page.getByRole("main").getByText(american).first()).toBeVisible();
    const html = await page.request.get(url, { headers: { "accept-language": "en-US" } });
    expect(await html.text()).toMatch(american);
    expect(mismatches).toEqual([]);
  });
});
