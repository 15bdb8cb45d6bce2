import { readFile } from "node:fs/promises";
import { startEndpoint } from "@/lib/testing/webhooks";
import { choose, pick, press, tabTo, take, write, writeFirst } from "./by-keyboard";
import { expect, newLoginUrl, test } from "./fixtures";
import { openPalette } from "./palette";
import { callApi, type Product } from "./product";

/*
 * What people do most, with the keyboard alone: nothing here is clicked, focused or filled in by the program. Each
 * stop on the way has to show that it has the focus.
 */

const projectUrl = ({ url, projectId }: Product) => `${url}/dashboard/${projectId}`;

test("signing in by a link, and making a project", async ({ page, product }) => {
  await page.goto(newLoginUrl(product));
  await press(page.getByRole("button", { name: "Sign in" }));
  await expect(page).toHaveURL(/\/dashboard\/prj_/);

  await page.goto(projectUrl(product));
  await choose(
    page.getByRole("button", { name: /^Project:/ }),
    page.getByRole("menuitem", { name: "New project" }),
  );
  const dialog = page.getByRole("dialog");
  await write(dialog.getByLabel("Name"), "By keyboard");
  await press(dialog.getByRole("button", { name: "Create" }));
  await expect(page.getByRole("button", { name: "Project: By keyboard" })).toBeVisible();
});

test("a wrong password is told, and the way to a new one is reached", async ({ page, product }) => {
  await page.goto(`${product.url}/sign-in`);
  const email = page.getByLabel("Email");
  await expect(email).toBeFocused();
  await page.keyboard.type(product.owner);
  await write(page.getByLabel("Password"), "not this one");
  await page.keyboard.press("Enter");
  await expect(page.locator("form").getByRole("alert")).toHaveText(
    "The address or the password is wrong.",
  );
  await tabTo(page.getByRole("link", { name: "Forgot your password, or have none yet?" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/sign-in\/forgot/);
});

test("the first Tab leads past the navigation, and the palette to everything", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(projectUrl(product));
  await page.keyboard.press("Tab");
  await press(page.getByRole("link", { name: "Skip to the content" }));
  await expect(page.locator("#content")).toBeFocused();
  await openPalette(page);
  await page.keyboard.type("create a template");
  await take(page.getByRole("option", { name: "Create a template", exact: true }));
  await expect(page).toHaveURL(/\/templates\/new$/);
});

test("a contact is added", async ({ dashboard: page, product }) => {
  await page.goto(`${projectUrl(product)}/contacts`);
  await press(page.getByRole("button", { name: "Add contact" }));
  const dialog = page.getByRole("dialog");
  await writeFirst(dialog.getByLabel("Email"), "ada@keyboard.example");
  await write(dialog.getByLabel("First name"), "Ada");
  await press(dialog.getByRole("button", { name: "Add contact" }));
  await expect(page).toHaveURL(/\/contacts\/con_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ada");
});

test("a CSV is imported, and contacts are exported", async ({ dashboard: page, product }) => {
  await page.goto(`${projectUrl(product)}/contacts/import`);
  const choosing = page.waitForEvent("filechooser");
  await press(page.getByLabel("CSV file"));
  await (
    await choosing
  ).setFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("Mail,First Name\ngrace@import-keys.example,Grace"),
  });
  await expect(page.getByLabel("What “Mail” becomes")).toHaveText(/Email address/);
  await press(page.getByRole("button", { name: "Start import" }));
  await expect(page).toHaveURL(/\/contacts\/imports\/imp_/);
  await expect(page.getByText("Done", { exact: true })).toBeVisible();
  await press(page.getByRole("link", { name: "Show contacts" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contacts");

  await write(page.getByRole("searchbox", { name: "Search by address or name" }), "import-keys");
  await expect(page).toHaveURL(/search=import-keys/);
  const exported = page.waitForEvent("download");
  await press(page.getByRole("link", { name: "Export these" }), { backwards: true });
  const csv = await readFile(await (await exported).path(), "utf8");
  expect(csv).toContain("grace@import-keys.example");
  expect(csv.trim().split("\r\n")).toHaveLength(2);
});

test("a list is made", async ({ dashboard: page, product }) => {
  await page.goto(`${projectUrl(product)}/lists`);
  await press(page.getByRole("link", { name: "Create list" }));
  await expect(page).toHaveURL(/\/lists\/new$/);
  await write(page.getByLabel("Name", { exact: true }), "Letters by keyboard");
  await write(page.getByLabel("Sender address"), "letters@sandbox.test");
  await press(page.getByRole("switch", { name: "Ask for confirmation" }), { key: "Space" });
  await press(page.getByRole("button", { name: "Create list" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Letters by keyboard");
});

test("a segment is built", async ({ dashboard: page, product }) => {
  await callApi(product, "POST", "/v1/contacts", {
    email: "pro@keyboard.example",
    data: { plan: "keys" },
  });
  await page.goto(`${projectUrl(product)}/segments/new`);
  await write(page.getByLabel("Name"), "Those with keys");
  await press(page.getByRole("button", { name: "Add condition" }));
  await choose(
    page.getByRole("combobox", { name: "Field" }).nth(1),
    page.getByRole("option", { name: "plan", exact: true }),
  );
  await write(page.getByRole("combobox", { name: "Value" }).last(), "keys");
  await expect(page.getByText("1 person")).toBeVisible();
  await press(page.getByRole("button", { name: "Create segment" }));
  await expect(page).toHaveURL(/\/segments\/seg_\w+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Those with keys");
});

test("a template is begun with a design of the gallery and saved", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${projectUrl(product)}/templates/new`);
  await write(page.getByLabel("Name", { exact: true }), "Greeting");
  await press(page.getByRole("button", { name: /^Welcome/ }));
  const canvas = page.getByRole("textbox", { name: "Email", exact: true });
  await expect(canvas.getByRole("heading", { name: "Good to have you here" })).toBeVisible();
  // Nobody is caught in the canvas.
  await tabTo(canvas);
  await press(page.getByRole("button", { name: "Create template" }));
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  await expect(page.getByRole("heading", { level: 1, name: "Greeting" })).toBeVisible();
});

test("a campaign with an A/B test is written, sent and paused", async ({
  dashboard: page,
  product,
}) => {
  // Four get the test at once, and the others wait for its winner: there is time to pause it.
  const contacts = Array.from({ length: 20 }, (_, index) => ({
    email: `delivered+keys${index}@sandbox.test`,
    data: { group: "keys" },
  }));
  await callApi(product, "POST", "/v1/contacts/bulk", { contacts });
  await callApi(product, "POST", "/v1/segments", {
    name: "Keyboard readers",
    filter: { and: [{ field: "data.group", op: "eq", value: "keys" }] },
  });
  await page.goto(`${projectUrl(product)}/campaigns`);
  await press(page.getByRole("button", { name: "Create campaign" }));
  const creating = page.getByRole("dialog", { name: "Create a campaign" });
  await writeFirst(creating.getByLabel("Name"), "Keyboard news");
  await pick(
    creating.getByRole("radiogroup", { name: "Who gets it?" }),
    creating.getByRole("radio", { name: /A segment/ }),
  );
  await choose(
    creating.getByRole("combobox", { name: "Segment" }),
    page.getByRole("option", { name: "Keyboard readers" }),
  );
  await press(creating.getByRole("button", { name: "Start writing" }));
  await expect(page).toHaveURL(/\/campaigns\/cmp_\w+$/);

  await write(page.getByLabel("Sender address"), "news@sandbox.test");
  await write(page.getByRole("textbox", { name: "Subject", exact: true }), "Alpha");
  await press(page.getByRole("switch", { name: /A\/B test/ }), { key: "Space" });
  await write(page.getByLabel("Subject B"), "Beta");
  await press(page.getByRole("button", { name: /^HTML/ }));
  await expect(page.getByRole("textbox", { name: "HTML" })).toBeVisible();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();

  const send = page.getByRole("button", { name: "Send to 20 people" });
  await expect(send).toBeEnabled();
  await press(send);
  await press(page.getByRole("dialog").getByRole("button", { name: "Send to 20 people" }));
  await expect(page.getByText("Awaiting winner", { exact: true })).toBeVisible({ timeout: 30_000 });
  await press(page.getByRole("button", { name: "Pause" }));
  await expect(page.getByTestId("status").first()).toHaveText("Paused");
  await tabTo(page.getByRole("button", { name: "Resume" }));
});

test("a domain is added, and an API key is made", async ({ dashboard: page, product }) => {
  await page.goto(`${projectUrl(product)}/domains`);
  await press(page.getByRole("button", { name: "Add domain" }));
  const dialog = page.getByRole("dialog");
  await writeFirst(dialog.getByLabel("Domain"), "keys.example");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/domains\/dom_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("keys.example");

  await press(
    page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("link", {
      name: "API keys",
    }),
    { backwards: true },
  );
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("API keys");
  await press(page.getByRole("button", { name: "Create key" }));
  await writeFirst(dialog.getByLabel("Name"), "Keyboard");
  await press(dialog.getByRole("button", { name: "Create key" }));
  await expect(page.getByTestId("new-key")).toHaveText(/^sk_live_/);
  await press(page.getByRole("button", { name: "I have copied it" }));
  await expect(page.getByRole("row").filter({ hasText: "Keyboard" })).toBeVisible();
});

test("an email is found in the log by its filters, and opened", async ({
  dashboard: page,
  product,
}) => {
  for (const to of ["delivered+found@sandbox.test", "bounced+found@sandbox.test"]) {
    await callApi(product, "POST", "/v1/send", {
      ...{ from: "hello@sandbox.test", to, subject: `For ${to}`, body: "<p>Hello</p>" },
    });
  }
  await expect
    .poll(async () => {
      const path = "/v1/emails?status=BOUNCED&search=found%40sandbox.test";
      return (await callApi<{ data: object[] }>(product, "GET", path)).body.data.length;
    })
    .toBe(1);
  await page.goto(`${projectUrl(product)}/emails`);
  await write(page.getByRole("searchbox", { name: "Search by address" }), "found@sandbox");
  await expect(page).toHaveURL(/search=found/);
  await choose(
    page.getByRole("combobox", { name: "Status" }),
    page.getByRole("option", { name: "Bounced", exact: true }),
  );
  await expect(page).toHaveURL(/status=BOUNCED/);
  const rows = page.getByRole("table", { name: "Emails" }).locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await press(rows.getByRole("link"));
  await expect(page).toHaveURL(/\/emails\/em_/);
  await expect(page.getByText("bounced+found@sandbox.test").first()).toBeVisible();
});

test("a webhook is added and tried", async ({ dashboard: page, product }) => {
  const endpoint = await startEndpoint((_request, response) => {
    response.writeHead(200).end("thanks");
  });
  await page.goto(`${projectUrl(product)}/webhooks`);
  await press(page.getByRole("button", { name: "Add webhook" }));
  const dialog = page.getByRole("dialog");
  await writeFirst(dialog.getByLabel("Address"), endpoint.url);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("new-secret")).toHaveText(/^whsec_/);
  await press(page.getByRole("button", { name: "I have copied it" }));
  await press(page.getByRole("link", { name: endpoint.url }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(endpoint.url);
  await press(page.getByRole("button", { name: "Send test event" }));
  await press(dialog.getByRole("button", { name: "Send", exact: true }));
  await expect(dialog).toContainText("Response: HTTP 200");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await tabTo(page.getByRole("button", { name: "Send test event" }));
  await endpoint.stop();
});
