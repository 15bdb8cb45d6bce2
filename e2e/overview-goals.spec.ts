import { signInAsViewer } from "./as-viewer";
import { faults, overflow } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("goals are set, changed by keyboard, reached, deleted and brought back, and a viewer only looks", async ({
  dashboard: page,
  product,
  browser,
}) => {
  test.setTimeout(240_000);
  const overview = `${product.url}/dashboard/${product.projectId}`;
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: ["ada", "bob", "eve"].map((name) => ({ email: `${name}@goals.example` })),
  });
  const goals = page.getByRole("list", { name: "Goals" });
  const rows = goals.getByRole("listitem");
  const contacts = rows.filter({ hasText: "New contacts this month" });
  const dialog = page.getByRole("dialog");
  const choose = async (field: string, option: string) => {
    await chooseOption(dialog.getByRole("combobox", { name: field }), option);
  };

  await page.goto(overview);
  await expect(page.getByText("No goals yet.")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "Set a goal" }).click();
  await dialog.getByLabel("At least").fill("1.5");
  await dialog.getByRole("button", { name: "Set goal" }).click();
  await expect(dialog.getByText("This is not a whole number from 1 to 250,000.")).toBeVisible();
  await dialog.getByLabel("At least").fill("1,000");
  await dialog.getByRole("button", { name: "Set goal" }).dblclick();
  await expect(page.getByText("Goal “New contacts this month” set")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(rows).toHaveCount(1);
  await expect(contacts).toContainText("3 of 1,000");
  await expect(contacts).toContainText("expected by now");

  // A figure has one goal in a period.
  await page.getByRole("button", { name: "Set a goal" }).click();
  await choose("Period", "This month");
  await dialog.getByLabel("At least").fill("10");
  await dialog.getByRole("button", { name: "Set goal" }).click();
  await expect(
    dialog.getByText("This is the period of another goal for the same figure."),
  ).toBeVisible();
  await choose("Figure", "Bounce rate");
  await dialog.getByLabel("At most").fill("2.5 %");
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Set goal" }).click();
  await expect(dialog).toBeHidden();
  await expect(rows.filter({ hasText: "Bounce rate this month" })).toContainText("at most 2.5%");
  await expect(rows.filter({ hasText: "Bounce rate this month" })).toContainText("No mail yet");

  // With the keyboard alone.
  await page.getByRole("button", { name: "Change or delete the goal New contacts" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Change" })).toBeFocused();
  await page.keyboard.press("Enter");
  const target = dialog.getByLabel("At least");
  await expect(dialog).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(target).toBeFocused({ timeout: 100 });
  }).toPass();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(contacts).toContainText("3 of 3");
  await expect(contacts.getByTestId("status")).toHaveText("Reached");

  await page.reload();
  await expect(contacts.getByTestId("status")).toHaveText("Reached");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await faults(page), colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await expect(contacts.getByTestId("status")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole("button", { name: "Change or delete the goal New contacts" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(contacts).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(contacts.getByTestId("status")).toHaveText("Reached");
  await contacts.getByRole("link").click();
  await expect(page).toHaveURL(`${overview}/contacts`);
  await expect(page.getByRole("link", { name: "eve@goals.example" })).toBeVisible();

  const context = await browser.newContext();
  const viewer = await context.newPage();
  await signInAsViewer(viewer, product, "viewer+goals@example.com");
  await viewer.goto(overview);
  const seen = viewer.getByRole("list", { name: "Goals" }).getByRole("listitem");
  await expect(seen).toHaveCount(2);
  await expect(seen.getByRole("button")).toHaveCount(0);
  await expect(viewer.getByRole("button", { name: "Set a goal" })).toHaveCount(0);
  await context.close();
});
