import { readFile } from "node:fs/promises";
import { faults, overflow } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

interface ContactPage {
  data: { email: string; subscribed: boolean; data: Record<string, unknown> }[];
}

const searchContacts = async (product: Parameters<typeof callApi>[0], search: string) =>
  (await callApi<ContactPage>(product, "GET", `/v1/contacts?search=${search}`)).body.data;

test("a person is added, changed, unsubscribed and deleted for good", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts`);
  await page.getByRole("button", { name: "Add contact" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill("ada(at)example.com");
  await dialog.getByRole("button", { name: "Add contact" }).click();
  await expect(dialog.getByText("This is not an email address.")).toBeVisible();
  await dialog.getByLabel("Email").fill("ada@person.example");
  await dialog.getByLabel("First name").fill("Ada");
  await dialog.getByLabel("Tags").fill("vip,");
  await dialog.getByRole("button", { name: "Add contact" }).click();
  await expect(page).toHaveURL(/\/contacts\/con_/);

  await page.getByRole("button", { name: "Add attribute" }).click();
  await page.getByLabel("Key 1", { exact: true }).fill("seats");
  await page.getByLabel("Value of seats").fill("5");
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Last name").press("Control+Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ada Lovelace");
  expect((await searchContacts(product, "ada@person"))[0]?.data).toEqual({ seats: 5 });

  await page.getByRole("button", { name: "Unsubscribe" }).click();
  const history = page.getByRole("list", { name: "Timeline" });
  await expect(history.getByText("Unsubscribed", { exact: true })).toBeVisible();
  await expect(page.getByText("Unsubscribed", { exact: true })).toHaveCount(2);
  expect((await searchContacts(product, "ada@person"))[0]?.subscribed).toBe(false);

  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete contact" }).click();
  await expect(page).toHaveURL(/\/contacts$/);
  expect(await searchContacts(product, "ada@person")).toEqual([]);
});

test("a CSV is mapped and imported, refused rows are shown and downloaded, the export has the rest", async ({
  dashboard: page,
  product,
}) => {
  const people = Array.from({ length: 3000 }, (_, at) => `p${at}@import.example,Person ${at},pro`);
  const csv = ["Mail,First Name,Tariff", ...people, "nobody,Nobody,free"].join("\n");
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts/import`);
  await page.getByLabel("CSV file").setInputFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(csv),
  });
  await expect(page.getByLabel("What “Mail” becomes")).toHaveText(/Email address/);
  await page.getByLabel("Key of “Tariff”").fill("plan");
  await page.getByRole("button", { name: "Start import" }).click();
  await expect(page).toHaveURL(/\/contacts\/imports\/imp_/);
  await page.reload();
  await expect(page.getByText("Done", { exact: true })).toBeVisible();
  const refused = page.getByRole("row").filter({ hasText: "nobody" });
  await expect(refused).toContainText("3002");
  await expect(refused).toContainText("email is not an email address");

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download it" }).click();
  const file = await (await download).path();
  expect(await readFile(file, "utf8")).toMatch(/3002,nobody,email is not an email address/);

  await page.getByRole("link", { name: "Show contacts" }).click();
  await page.getByRole("searchbox", { name: "Search by address or name" }).fill("p1234@import");
  await expect(page).toHaveURL(/search=p1234/);
  await expect(page.getByRole("link", { name: "p1234@import.example" })).toBeVisible();
  const exported = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export these" }).click();
  const lines = (await readFile(await (await exported).path(), "utf8")).trim().split("\r\n");
  expect(lines[0]).toBe("email,subscribed,createdAt,firstName,lastName,tags,plan");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^p1234@import\.example,true,.*,Person 1234,,,pro$/);
});

test("a CSV as Excel saves it in German is read, umlauts and decimal commas included", async ({
  dashboard: page,
  product,
}) => {
  const csv =
    "E-Mail-Adresse;Vorname;Umsatz;Geburtstag\r\n" +
    "juergen@excel.example;J\xfcrgen;2.664,39;07.12.1980\r\n" +
    "ada@excel.example;Ada;12,50;1.2.1990\r\n";
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts/import`);
  await page.getByLabel("CSV file").setInputFiles({
    name: "kunden.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(csv, "latin1"),
  });
  await expect(page.getByText(/was read as Windows-1252/)).toBeVisible();
  await expect(page.getByRole("row", { name: /Vorname/ })).toContainText("Jürgen");
  await expect(page.getByLabel("What “Vorname” becomes")).toHaveText(/First name/);
  await chooseOption(page.getByLabel("Kind of “Umsatz”"), /^Number/);
  await chooseOption(page.getByLabel("Kind of “Geburtstag”"), /^Date/);
  await page.getByRole("button", { name: "Start import" }).click();
  await expect(page).toHaveURL(/\/contacts\/imports\/imp_/);
  await expect(page.getByText("Done", { exact: true })).toBeVisible();
  expect((await searchContacts(product, "juergen@excel"))[0]).toMatchObject({
    firstName: "Jürgen",
    data: { Umsatz: 2664.39, Geburtstag: "1980-12-07" },
  });
});

test("several people are unsubscribed and brought back, and deleted by their number", async ({
  dashboard: page,
  product,
}) => {
  const emails = ["b1@bulk.example", "b2@bulk.example"];
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: emails.map((email) => ({ email })),
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts?search=bulk.example`);
  await page.getByRole("checkbox", { name: "Select everybody on this page" }).click();
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page.getByText("2 contacts unsubscribed")).toBeVisible();
  expect(
    (await searchContacts(product, "bulk.example")).map(({ subscribed }) => subscribed),
  ).toEqual([false, false]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 contacts subscribed")).toBeVisible();

  await page.getByRole("checkbox", { name: "Select everybody on this page" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete 2 contacts" }).click();
  await expect(page.getByText("2 contacts deleted")).toBeVisible();
  expect(await searchContacts(product, "bulk.example")).toEqual([]);
});

test("adding somebody who unsubscribed asks before it subscribes them again", async ({
  dashboard: page,
  product,
}) => {
  const email = "gone@contacts.example";
  await callApi(product, "POST", "/v1/contacts", { email, unsubscribed: true });
  const stored = async () => {
    const { body } = await callApi<{ data: { subscribed: boolean; firstName: string }[] }>(
      product,
      "GET",
      `/v1/contacts?search=${email}`,
    );
    return body.data[0];
  };
  const add = async (firstName: string) => {
    await page.goto(`${product.url}/dashboard/${product.projectId}/contacts`);
    await page.getByRole("button", { name: "Add contact" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill("Gone@contacts.example");
    await dialog.getByLabel("First name").fill(firstName);
    await dialog.getByRole("button", { name: "Add contact" }).click();
    await expect(dialog.getByRole("alert")).toContainText("has unsubscribed");
    return dialog;
  };

  let dialog = await add("Left");
  expect(await stored()).toMatchObject({ subscribed: false, firstName: "" });
  await dialog.getByRole("button", { name: "Add contact" }).click();
  await expect(page).toHaveURL(/\/contacts\/con_/);
  expect(await stored()).toMatchObject({ subscribed: false, firstName: "Left" });

  dialog = await add("Back");
  await dialog.getByRole("checkbox", { name: /has asked for our mail again/ }).click();
  await dialog.getByRole("button", { name: "Add contact" }).click();
  await expect(page).toHaveURL(/\/contacts\/con_/);
  expect(await stored()).toMatchObject({ subscribed: true, firstName: "Back" });
  const history = page.getByRole("list", { name: "Timeline" });
  await page.getByRole("button", { name: "Consent", exact: true }).click();
  await expect(history.getByRole("listitem")).toHaveText([
    /^Subscribed again.*by the user .*@/,
    /^Added as unsubscribed.*by the API key /,
  ]);
});

test("people are found by the state that the list shows, and by when they were added", async ({
  dashboard: page,
  product,
}) => {
  const domain = "found-by-state.example";
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: ["reads", "left", "blocked"].map((name) => ({
      email: `${name}@${domain}`,
      unsubscribed: name === "left",
    })),
  });
  await callApi(product, "POST", "/v1/suppressions", { email: `blocked@${domain}` });
  const contacts = `${product.url}/dashboard/${product.projectId}/contacts`;
  const rows = page.getByRole("table", { name: "Contacts" }).locator("tbody tr");
  const state = page.getByRole("combobox", { name: "Subscription" });
  const choose = async (word: string) => {
    await chooseOption(state, word, { exact: true });
    await expect(state).toHaveText(word);
  };
  await page.goto(`${contacts}?search=${domain}`);
  await expect(rows).toHaveCount(3);
  for (const [word, name] of [
    ["Subscribed", "reads"],
    ["Unsubscribed", "left"],
    ["Suppressed", "blocked"],
  ] as const) {
    await choose(word);
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText(`${name}@${domain}`);
    await expect(rows).toContainText(word);
  }
  await choose("Complained");
  await expect(page.getByRole("heading", { name: "No contacts match" })).toBeVisible();

  await choose("Unsubscribed");
  const exported = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export these" }).click();
  const lines = (await readFile(await (await exported).path(), "utf8")).trim().split("\r\n");
  expect(lines.map((line) => line.split(",")[0])).toEqual(["email", `left@${domain}`]);

  await page.getByLabel("Added until").fill("2026-01-01");
  await expect(page).toHaveURL(/state=unsubscribed.*endDate=2026-01-01/);
  await expect(page.getByRole("heading", { name: "No contacts match" })).toBeVisible();
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Left long ago");
  await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goto(contacts);
  await page.getByRole("link", { name: "Left long ago" }).click();
  await expect(state).toHaveText("Unsubscribed");
  await expect(page.getByLabel("Added until")).toHaveValue("2026-01-01");
  await expect(page.getByRole("heading", { name: "No contacts match" })).toBeVisible();
  await page.getByLabel("Added until").fill("");
  await expect(rows.filter({ hasText: `left@${domain}` })).toHaveCount(1);

  // Addresses from before there were states keep their meaning, and can be left.
  await page.goto(`${contacts}?search=${domain}&subscribed=true`);
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: /whether they consented/ }).click();
  await expect(rows).toHaveCount(3);

  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 740 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});
