import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import type { Product } from "./product";

const pageOf = (product: Product, path: string) =>
  `${product.url}/dashboard/${product.projectId}/${path}`;

/** Lists that belong to one thing each. */
async function nestedLists(page: Page, product: Product): Promise<string[]> {
  const create = async (path: string, data: object) => {
    const answer = await page.request.post(
      `${product.url}/api/dashboard/${product.projectId}/v1/${path}`,
      { headers: { origin: product.url }, data },
    );
    expect(answer.status()).toBe(201);
    return `${path}/${((await answer.json()) as { id: string }).id}`;
  };
  return [
    await create("lists", { name: "Nested", fromEmail: "news@sandbox.test" }),
    await create("webhooks", { url: "http://127.0.0.1:9/hook", events: ["*"] }),
  ];
}

test("every list opens at its start when its cursor is not valid any more, its filters kept", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  const searched = [
    "contacts",
    "lists",
    "segments",
    "campaigns",
    "emails",
    "media",
    "captured",
    "domains",
    "api-keys",
  ];
  for (const path of [...searched, "webhooks", ...(await nestedLists(page, product))]) {
    const filters = searched.includes(path) ? "search=nothing-like-it" : "";
    await page.goto(`${pageOf(product, path)}?cursor=bm9uc2Vuc2U&${filters}`);
    const kept = `${pageOf(product, path)}${filters && `?${filters}`}`;
    await expect.soft(page, path).toHaveURL(kept);
    await expect.soft(page.getByRole("heading", { level: 1 }), path).toBeVisible();
  }
});

/** From now on refuses the browser's requests for this path; counts how many there were. */
async function refuse(page: Page, path: string): Promise<() => number> {
  let asked = 0;
  await page.route(`**/v1/${path}**`, (route) => {
    asked++;
    return route.fulfill({
      status: 403,
      json: { error: { code: "FORBIDDEN", message: "You may not." }, requestId: "r" },
    });
  });
  return () => asked;
}

for (const { path, seconds } of [
  { path: "api-keys", seconds: 30 },
  { path: "webhooks", seconds: 30 },
  { path: "emails", seconds: 5 },
]) {
  test(`a list that cannot be read again says how often it is tried, and keeps to it: ${path}`, async ({
    dashboard: page,
    product,
  }) => {
    await page.clock.install();
    await page.goto(pageOf(product, path));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const asked = await refuse(page, path);
    const notice = page.getByText(`Trying again every ${seconds} seconds.`);
    // Once the page's scripts run, it asks.
    await expect(async () => {
      await page.clock.runFor(seconds * 1000);
      await expect(notice).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 20_000 });
    // From here on time passes only when the test lets it.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
    await page.waitForLoadState("networkidle");
    const before = asked();
    for (const tries of [1, 2, 3]) {
      const answered = page.waitForResponse((response) => response.url().includes(`/v1/${path}`));
      await page.clock.runFor(seconds * 1000);
      await (await answered).finished();
      expect(asked()).toBe(before + tries);
    }
  });
}

test("people who were imported are on Contacts at once, although it was looked at before", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(pageOf(product, "contacts"));
  await page.getByRole("link", { name: "Import", exact: true }).click();
  await page.getByLabel("CSV file").setInputFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("email\nimported@at-once.example\n"),
  });
  await page.getByRole("button", { name: "Start import" }).click();
  // The page before it lists other imports, which are done.
  await expect(page).toHaveURL(/\/imports\/imp_/);
  await expect(page.getByText("Done", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Show contacts" }).click();
  await expect(page.getByRole("link", { name: "imported@at-once.example" })).toBeVisible({
    timeout: 3_000,
  });
});

/** Makes something by the API of the dashboard. */
async function make(page: Page, product: Product, path: string, data: object): Promise<void> {
  const answer = await page.request.post(
    `${product.url}/api/dashboard/${product.projectId}/v1/${path}`,
    { headers: { origin: product.url }, data },
  );
  expect(answer.status()).toBe(201);
}

test("lists, segments, domains, forms and campaigns are sorted by the heads of their columns", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  for (const name of ["Sorted b", "Sorted C", "Sorted a"]) {
    await make(page, product, "lists", { name, fromEmail: "news@sandbox.test" });
    await make(page, product, "segments", { name, filter: { and: [] } });
    await make(page, product, "forms", { name });
    await make(page, product, "campaigns", { name, incomplete: true });
  }
  const inOrder = ["Sorted a", "Sorted b", "Sorted C"];
  for (const { path, table, head } of [
    { path: "lists", table: "Lists", head: "List" },
    { path: "segments", table: "Segments", head: "Segment" },
    { path: "forms", table: "Forms", head: "Form" },
    { path: "campaigns", table: "Campaigns", head: "Campaign" },
  ]) {
    await page.goto(`${pageOf(product, path)}?search=Sorted`);
    const names = page.getByRole("table", { name: table }).getByRole("link", { name: /^Sorted/ });
    await expect(names, path).toHaveCount(3);
    const column = page.getByRole("columnheader", { name: head, exact: true });
    await column.getByRole("link").click();
    await expect(page).toHaveURL(/sort=name/);
    await expect(names, path).toHaveText(inOrder);
    await expect(column).toHaveAttribute("aria-sort", "ascending");
    // By keyboard, the other way.
    await column.getByRole("link").focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/sort=-name/);
    await expect(names, path).toHaveText([...inOrder].reverse());
    // And as it was before.
    await column.getByRole("link").click();
    await expect(page).not.toHaveURL(/sort=/);
    await expect(names, path).toHaveText(["Sorted a", "Sorted C", "Sorted b"]);
  }
  await page.goto(pageOf(product, "domains"));
  await page.getByRole("columnheader", { name: "Domain" }).getByRole("link").click();
  await expect(page).toHaveURL(/sort=name/);
  await expect(page.getByRole("link", { name: "sandbox.test" })).toBeVisible();
});

test("the order of a list is kept from page to page", async ({ dashboard: page, product }) => {
  test.setTimeout(120_000);
  for (let at = 0; at < 21; at++) {
    const name = `Paged ${String(at).padStart(2, "0")}`;
    await make(page, product, "lists", { name, fromEmail: "news@sandbox.test" });
  }
  await page.goto(`${pageOf(product, "lists")}?search=Paged&sort=name`);
  const names = page.getByRole("table", { name: "Lists" }).getByRole("link", { name: /^Paged/ });
  await expect(names).toHaveCount(20);
  await expect(names.first()).toHaveText("Paged 00");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(names).toHaveText(["Paged 20"]);
  await page.getByRole("link", { name: "First" }).click();
  await expect(names).toHaveCount(20);
});
