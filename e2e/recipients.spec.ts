import type { APIRequestContext, Page } from "@playwright/test";
import { textsFor, type TextKey } from "@/lib/ground/texts/texts";
import { faults, overflow } from "./axe";
import { bootstrap, expect, test } from "./fixtures";
import { linkIn, list, mailTo, type Captured } from "./mailbox";
import { callApi, type Product } from "./product";

/* The pages that the links in mail lead to, as seen in a browser that runs no scripts. */

const languages = ["en", "de", "fr", "es", "pl"];
const listName = "Mill & Sons";
const topicName = "Releases";
const addressOf = (name: string) => `delivered+${name}@sandbox.test`;

/** Each one costs a process; a spec has one project. */
let platformToken: string | undefined;

/** A list that asks to confirm, a topic, and people who are to confirm, each with a language. */
async function setUp(product: Product, names: readonly string[], code: (name: string) => string) {
  platformToken ??= bootstrap(product).platformToken;
  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const response = await fetch(`${product.url}/api/v1${path}?api_token=${platformToken}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as Body;
  };
  const asking = list(listName, { subscribe_confirmation: "1" });
  const { list_uid } = await post<{ list_uid: string }>("/lists", asking);
  await callApi(product, "POST", "/v1/topics", { name: topicName });
  for (const name of names) {
    const person = { email: addressOf(name), firstName: "Ada", data: { language: code(name) } };
    const { status } = await callApi(product, "POST", "/v1/contacts", person);
    expect([200, 201]).toContain(status);
    await post("/subscribers", { list_uid, EMAIL: person.email });
  }
}

const confirmPart = /http\S+\/confirm\/[\w-]+/;
const requestPart = /http\S+\/request\/[\w-]+/;

/** The links of a mail that says no more than where they lead. */
async function linksOf(owner: APIRequestContext, product: Product, email: string) {
  const subject = "Where everything is";
  await callApi(product, "POST", "/v1/send", {
    ...{ from: "hello@sandbox.test", to: email, subject },
    tracking: { opens: false, clicks: false },
    body: `<!doctype html><html lang="en"><title>Where</title><main><h1>Dear {{ email }}</h1>
      <p><a href="{{ viewUrl }}">view</a> <a href="{{ preferencesUrl }}">preferences</a>
      <a href="{{ unsubscribeUrl }}">unsubscribe</a></p></main></html>`,
  });
  const { html } = await mailTo(owner, product, email, subject);
  const linkTo = (name: string) => {
    const [, url = ""] = new RegExp(`href="(http[^"]+)"[^>]*>${name}<`).exec(html) ?? [];
    return url.replaceAll("&amp;", "&");
  };
  return {
    view: linkTo("view"),
    preferences: linkTo("preferences"),
    unsubscribe: linkTo("unsubscribe"),
  };
}

interface Contact {
  firstName: string;
  subscribed: boolean;
}
const contact = (product: Product, email: string) =>
  callApi<Contact>(product, "GET", `/v1/contacts/${email}`);

for (const code of languages) {
  test(`without script, in ${code}: confirm, choose, take back, leave, move, copy, erase`, async ({
    browser,
    dashboard,
    product,
  }) => {
    test.setTimeout(120_000);
    const { text } = textsFor(code);
    const email = addressOf(code);
    const owner = dashboard.request;
    await setUp(product, [code], () => code);
    // The browser asks for a language other than the person's: theirs counts.
    const context = await browser.newContext({ javaScriptEnabled: false, locale: "nl" });
    const reader = await context.newPage();
    const title = reader.getByRole("heading", { level: 1 });
    const button = (name: string) => reader.getByRole("button", { name, exact: true });
    const press = async (name: string) => {
      await button(name).click();
      await expect(reader.locator("html")).toHaveAttribute("lang", code);
    };
    const said = (key: TextKey, values = {}) =>
      expect(reader.getByRole("alert")).toContainText(text(key, values));
    const settings = `${product.url}/api/dashboard/${product.projectId}/v1/project`;
    const { name: project } = (await (await owner.get(settings)).json()) as { name: string };
    const mailed = (to: string, key: TextKey, values = {}): Promise<Captured> =>
      mailTo(owner, product, to, text(key, values));

    const asking = await mailed(email, "mail.confirmation.subject", { list: listName });
    await reader.goto(linkIn(asking, confirmPart));
    await expect(title).toHaveText(text("confirm.open.title"));
    await press(text("confirm.button"));
    await expect(title).toHaveText(text("confirm.subscribed.title"));
    await press(text("preferences.leave.about", { name: listName }));
    await said("preferences.done.leave", { name: listName, email });
    await press(text("preferences.undo"));
    await said("preferences.done.join", { name: listName });

    const links = await linksOf(owner, product, email);
    const view = await reader.goto(links.view);
    expect(view?.headers()["x-robots-tag"]).toContain("noindex");
    await expect(title).toHaveText(`Dear ${email}`);

    // The visible link: looking changes nothing, one more click unsubscribes.
    await reader.goto(links.unsubscribe);
    await expect(title).toHaveText(text("preferences.leaving"));
    expect((await contact(product, email)).body.subscribed).toBe(true);
    await press(text("preferences.leaveAll"));
    await said("preferences.done.leave-all", { project, email });
    expect((await contact(product, email)).body.subscribed).toBe(false);
    await press(text("preferences.undo"));
    await said("preferences.done.return", { project });

    await reader.goto(links.preferences);
    await expect(title).toHaveText(text("preferences.title"));
    const about = (key: "leave" | "rejoin", name: string) =>
      `${text(`preferences.${key}`)}: ${name}`;
    await press(about("leave", topicName));
    await said("preferences.done.leave-topic", { name: topicName });
    await press(about("rejoin", topicName));
    await said("preferences.done.join-topic", { name: topicName });
    await press(about("leave", listName));
    await said("preferences.done.leave", { name: listName, email });
    await press(about("rejoin", listName));
    await said("preferences.done.join", { name: listName });
    for (const days of [30, 90]) {
      await press(text("preferences.pause.days", { days }));
      await expect(button(text("preferences.resume"))).toBeVisible();
    }
    await press(text("preferences.resume"));
    await said("preferences.done.resume", { project });
    await press(text("preferences.weekly"));
    await said("preferences.done.weekly");
    await press(text("preferences.normal"));
    await said("preferences.done.normal");
    await reader.getByLabel(text("preferences.firstName")).fill("Augusta");
    await press(text("preferences.saveName"));
    await said("preferences.done.name");
    expect((await contact(product, email)).body.firstName).toBe("Augusta");
    await press(text("preferences.undo"));
    expect((await contact(product, email)).body.firstName).toBe("Ada");
    await reader.getByLabel(text("preferences.reason")).selectOption("too_often");
    await reader.getByLabel(text("preferences.comment")).fill("Every day.");
    await press(text("preferences.leaveAll"));
    await said("preferences.done.leave-all", { project, email });
    await press(text("preferences.rejoin"));
    await said("preferences.done.return", { project });

    // A new address, confirmed there, told to the old one, and taken back.
    const next = addressOf(`${code}-next`);
    await reader.getByLabel(text("preferences.address.new")).fill(next);
    await press(text("preferences.address.change"));
    await said("preferences.done.address");
    await reader.goto(linkIn(await mailed(next, "mail.address.subject"), requestPart));
    await expect(title).toHaveText(text("request.address.open.title"));
    await press(text("request.address.open.button"));
    await expect(title).toHaveText(text("request.address.done.title"));
    expect((await contact(product, next)).status).toBe(200);
    await reader.goto(linkIn(await mailed(email, "mail.moved.subject"), requestPart));
    await press(text("request.address.undo"));
    await expect(title).toHaveText(text("request.address.undone.title"));
    expect((await contact(product, email)).status).toBe(200);

    await reader.goto(links.preferences);
    await press(text("preferences.data.download"));
    await said("preferences.done.download", { email });
    await reader.goto(linkIn(await mailed(email, "mail.download.subject"), requestPart));
    const download = reader.waitForEvent("download");
    await button(text("request.download.open.button")).click();
    expect((await download).suggestedFilename()).toBe("my-data.zip");

    await reader.goto(links.preferences);
    await press(text("preferences.data.erase"));
    await said("preferences.done.erase", { email });
    await reader.goto(linkIn(await mailed(email, "mail.erase.subject"), requestPart));
    await button(text("request.erase.open.button")).click();
    await expect(title).toHaveText(text("request.gone.title"));
    expect((await contact(product, email)).status).toBe(404);
    await context.close();
  });

  test(`links that do not work and wrong methods are told in ${code}`, async ({
    browser,
    product,
  }) => {
    const { text } = textsFor(code);
    const context = await browser.newContext({ javaScriptEnabled: false, locale: code });
    const reader = await context.newPage();
    const shows = async (path: string, status: number, key: TextKey) => {
      const answer = await reader.goto(product.url + path);
      expect(answer?.status(), path).toBe(status);
      await expect(reader.locator("html")).toHaveAttribute("lang", code);
      await expect(reader.getByRole("heading", { level: 1 })).toHaveText(text(key));
    };
    for (const path of ["preferences", "confirm", "request", "f/confirm"]) {
      await shows(`/${path}/nobody`, 404, "link.unknown.title");
    }
    await shows("/view/nobody", 404, "view.nothing.title");
    await shows("/f/nothing", 404, "form.unknown.title");
    await shows("/t/nothing", 404, "link.unknown.title");
    for (const path of ["preferences", "confirm", "request"]) {
      await shows(`/t/${path}/nobody`, 405, "page.refused.title");
    }
    await context.close();
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on these pages, nor is one too wide for a phone, ${colorScheme}`, async ({
    browser,
    dashboard,
    product,
  }) => {
    test.setTimeout(120_000);
    const [open, used] = [`open-${colorScheme}`, `used-${colorScheme}`];
    await setUp(product, [open, used], () => "de");
    const { text } = textsFor("de");
    const owner = dashboard.request;
    const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
    const page: Page = await context.newPage();
    const look = async (what: string, url?: string) => {
      if (url) await page.goto(url);
      await page.setViewportSize({ width: 360, height: 740 });
      expect.soft(await overflow(page), what).toBeLessThanOrEqual(0);
      expect.soft(await faults(page), what).toEqual([]);
    };
    const press = async (key: TextKey, values = {}) => {
      const answered = page.waitForEvent("load");
      await page.getByRole("button", { name: text(key, values), exact: true }).click();
      await answered;
    };
    const asked = (name: string) =>
      mailTo(
        owner,
        product,
        addressOf(name),
        text("mail.confirmation.subject", { list: listName }),
      );

    await look("to be confirmed", linkIn(await asked(open), confirmPart));
    await page.goto(linkIn(await asked(used), confirmPart));
    await press("confirm.button");
    await look("confirmed");
    const links = await linksOf(owner, product, addressOf(used));
    await look("leaving", links.unsubscribe);
    await look("preferences", links.preferences);
    await press("preferences.pause.days", { days: 30 });
    await look("a choice made");
    await press("preferences.data.download");
    await press("preferences.data.erase");
    for (const kind of ["download", "erase"] as const) {
      const mail = await mailTo(owner, product, addressOf(used), text(`mail.${kind}.subject`));
      await look(kind, linkIn(mail, requestPart));
    }
    await page.goto(links.preferences);
    await page.getByLabel(text("preferences.address.new")).fill("nobody@");
    await page.locator("form").evaluateAll((all) => {
      for (const form of all) (form as HTMLFormElement).noValidate = true;
    });
    await press("preferences.address.change");
    await look("refused");
    await press("preferences.leaveAll");
    await look("left");
    await look("unknown", `${product.url}/preferences/nobody`);
    await look("wrong method", `${product.url}/t/preferences/nobody`);

    // A mail's page runs no script, not even axe: its HTML is checked in a blank page.
    await page.goto("about:blank");
    await page.setContent(await (await fetch(links.view)).text());
    await look("mail");
    await context.close();
  });
}
