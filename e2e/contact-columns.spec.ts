import { faults } from "./axe";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("the reader chooses what the list of contacts shows beside a person, and finds it so again", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: [
      { email: "ada@columns.example", data: { "seat count": 12_000, since: "2026-03-01" } },
      { email: "bob@columns.example", data: { "seat count": 3 } },
    ],
  });
  // Fields are counted in the background.
  const names = async () => {
    const { body } = await callApi<{ data: { key: string }[] }>(
      product,
      "GET",
      "/v1/contacts/fields",
    );
    return body.data.map(({ key }) => key);
  };
  await expect.poll(names, { timeout: 30_000 }).toEqual(expect.arrayContaining(["since"]));
  await page.goto(`${product.url}/dashboard/${product.projectId}/contacts?search=columns.example`);
  const table = page.getByRole("table", { name: "Contacts" });
  const headers = table.getByRole("columnheader").filter({ hasNot: page.getByRole("checkbox") });
  const ada = table.getByRole("row").filter({ hasText: "ada@columns.example" });
  await expect(headers).toHaveText(["Person", "Subscription", "Tags", "Added"]);

  await page.getByRole("button", { name: "Columns", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await expect(dialog.getByRole("checkbox", { name: "Tags" })).toBeChecked();
  await dialog.getByRole("checkbox", { name: "Tags" }).click();
  // With the keyboard alone.
  await dialog.getByRole("checkbox", { name: "seat count" }).focus();
  await page.keyboard.press("Space");
  await dialog.getByRole("checkbox", { name: "since" }).click();
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  const chosen = ["Person", "Subscription", "seat count", "since", "Added"];
  await expect(headers).toHaveText(chosen);
  await expect(ada.getByRole("cell").nth(3)).toHaveText("12,000");
  await expect(ada.getByRole("cell").nth(4)).toHaveText("1 Mar 2026");

  // The server's first HTML has them, and no other project's list does.
  const html = await (await page.request.get(page.url())).text();
  expect(html).toContain("12,000");
  await page.reload();
  await expect(headers).toHaveText(chosen);
  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(headers.filter({ visible: true })).toHaveText(["Person", "Subscription"]);
  const sideways = () =>
    page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await sideways()).toBeLessThanOrEqual(0);

  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await dialog.getByRole("button", { name: "The usual ones" }).click();
  await expect(dialog.getByRole("checkbox", { name: "since" })).not.toBeChecked();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(headers).toHaveText(["Person", "Subscription", "Tags", "Added"]);
});
