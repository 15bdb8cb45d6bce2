import { faults } from "./axe";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("filters and order are saved under a name, opened by one press, renamed, deleted and brought back", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: ["ada", "bob", "eve"].map((name) => ({
      email: `${name}@views.example`,
      tags: name === "eve" ? [] : ["vip"],
    })),
  });
  const contacts = `${product.url}/dashboard/${product.projectId}/contacts`;
  const views = page.getByRole("navigation", { name: "Saved views" });
  const dialog = page.getByRole("dialog");
  const search = page.getByRole("searchbox", { name: "Search by address or name" });
  const save = async (name: string) => {
    await page.getByRole("button", { name: "Save view" }).click();
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Save view" }).click();
  };

  await page.goto(contacts);
  await expect(page.getByRole("button", { name: "Save view" })).toHaveCount(0);
  await expect(views).toHaveCount(0);
  await page.goto(`${contacts}?tag=vip&sort=-email`);
  await save("Best");
  await expect(page.getByText("View “Best” saved")).toBeVisible();
  await expect(views.getByRole("link", { name: "Best" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("button", { name: "Save view" })).toHaveCount(0);

  // Typed after one another, in the same search box.
  await page.goto(`${contacts}?search=ada`);
  await save("best");
  await expect(dialog.getByText("This is the name of another view of yours.")).toBeVisible();
  await dialog.getByLabel("Name").fill("Only Ada");
  await dialog.getByRole("button", { name: "Save view" }).dblclick();
  await expect(views.getByRole("link")).toHaveText(["All", "Best", "Only Ada"]);
  await search.fill("eve");
  await expect(page).toHaveURL(/search=eve/);
  await save("Only Eve");
  await expect(views.getByRole("link")).toHaveText(["All", "Best", "Only Ada", "Only Eve"]);
  expect(await faults(page)).toEqual([]);

  await views.getByRole("link", { name: "Only Ada" }).click();
  await expect(search).toHaveValue("ada");
  await expect(page.getByRole("link", { name: "ada@views.example" })).toBeVisible();
  await expect(page.getByRole("link", { name: "eve@views.example" })).toHaveCount(0);
  await views.getByRole("link", { name: "Best" }).click();
  await expect(search).toHaveValue("");
  const rows = page.getByRole("table", { name: "Contacts" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("bob@views.example");
  await expect(rows.nth(2)).toContainText("ada@views.example");

  await page.getByRole("button", { name: "Rename or delete the view Best" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await dialog.getByLabel("Name").fill("The best");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await expect(views.getByRole("link")).toHaveText(["All", "The best", "Only Ada", "Only Eve"]);

  await page.getByRole("button", { name: "Rename or delete the view The best" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(views.getByRole("link")).toHaveText(["All", "Only Ada", "Only Eve"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(views.getByRole("link")).toHaveText(["All", "Only Ada", "Only Eve", "The best"]);

  // On a phone, the one that is open is in sight, and the page is no wider than the screen.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.reload();
  await expect(views.getByRole("link", { name: "The best" })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await views.getByRole("link", { name: "All" }).click();
  await expect(page).toHaveURL(contacts);
});

for (const { path, query } of [
  { path: "emails", query: "status=BOUNCED&startDate=2026-01-01" },
  { path: "campaigns", query: "status=DRAFT" },
  { path: "suppressions", query: "reason=complaint" },
]) {
  test(`${path} have views of their own`, async ({ dashboard: page, product }) => {
    const list = `${product.url}/dashboard/${product.projectId}/${path}`;
    await page.goto(`${list}?${query}`);
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(`Mine of ${path}`);
    await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
    const views = page.getByRole("navigation", { name: "Saved views" });
    await expect(views.getByRole("link")).toHaveText(["All", `Mine of ${path}`]);
    await page.goto(list);
    await views.getByRole("link", { name: `Mine of ${path}` }).click();
    await expect(page).toHaveURL(`${list}?${query}`);
  });
}

test("a view of subscribers is there on every list, and stays on the list that is open", async ({
  dashboard: page,
  product,
}) => {
  const make = async (name: string) => {
    const answer = await page.request.post(
      `${product.url}/api/dashboard/${product.projectId}/v1/lists`,
      { headers: { origin: product.url }, data: { name, fromEmail: "news@sandbox.test" } },
    );
    expect(answer.status()).toBe(201);
    const { id } = (await answer.json()) as { id: string };
    return `${product.url}/dashboard/${product.projectId}/lists/${id}`;
  };
  const [one, other] = [await make("One"), await make("Other")];
  await page.goto(`${one}?status=unconfirmed`);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("To be confirmed");
  await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
  const views = page.getByRole("navigation", { name: "Saved views" });
  await expect(views.getByRole("link")).toHaveText(["All", "To be confirmed"]);
  await page.goto(other);
  await views.getByRole("link", { name: "To be confirmed" }).click();
  await expect(page).toHaveURL(`${other}?status=unconfirmed`);
  await views.getByRole("link", { name: "All" }).click();
  await expect(page).toHaveURL(other);
});
