import type { Page } from "@playwright/test";
import { faults } from "./axe";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

const colour = (page: Page, label: string) =>
  page.locator("label").filter({ hasText: label }).locator('input[type="color"]');

test("a brand is kept in the settings, and new emails begin in its look", async ({
  dashboard: page,
  product,
}) => {
  const path = `${product.url}/dashboard/${product.projectId}`;
  await page.goto(`${path}/settings/brand`);
  const example = page.frameLocator('iframe[title="An email in this look"]');
  // Drawn once the page runs: what is chosen before then is not heard.
  await expect(example.getByText("Get started")).toBeVisible();
  await colour(page, "Buttons and links").fill("#7a1fa2");
  await page.getByRole("button", { name: "Add a colour" }).click();
  await colour(page, "Colour 1").fill("#0b6e4f");
  await expect(example.locator('td[bgcolor="#7a1fa2"]').first()).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Brand saved")).toBeVisible();
  await page.reload();
  await expect(colour(page, "Colour 1")).toHaveValue("#0b6e4f");

  await page.goto(`${path}/templates/new`);
  await expect(page.getByRole("switch", { name: "In the look of your brand" })).toBeChecked();
  await page.getByRole("button", { name: /^Welcome/ }).click();
  const canvas = page.getByRole("textbox", { name: "Email", exact: true });
  await canvas.getByText("Get started").click();
  await page
    .getByRole("group", { name: "Brand colours for Background" })
    .getByRole("button", { name: "Background: #0b6e4f" })
    .click();
  await page.getByRole("button", { name: "Create template" }).click();
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  const id = page.url().split("/").at(-1) ?? "";
  const { body } = await callApi<{ body: string }>(product, "GET", `/v1/templates/${id}`);
  expect(body.body).toContain('class="b-section" bgcolor="#7a1fa2"');
  expect(body.body).toContain('bgcolor="#0b6e4f"');
  expect(body.body).not.toContain("#b52f15");

  // Without it the designs are as we made them.
  await page.goto(`${path}/templates/new`);
  await page.getByRole("switch", { name: "In the look of your brand" }).click();
  await page.getByRole("button", { name: /^Welcome/ }).click();
  await page.getByRole("tab", { name: "Whole email" }).click();
  await expect(colour(page, "Buttons and links")).toHaveValue("#b52f15");
  await page.getByRole("button", { name: "Use the brand’s look" }).click();
  await expect(colour(page, "Buttons and links")).toHaveValue("#7a1fa2");

  await page.goto(`${path}/settings/brand`);
  await page.getByRole("button", { name: "Remove the brand…" }).click();
  await page.getByRole("button", { name: "Remove the brand", exact: true }).click();
  await expect(page.getByText("Brand removed")).toBeVisible();
  await expect(colour(page, "Buttons and links")).toHaveValue("#b52f15");
  await page.goto(`${path}/templates/new`);
  await expect(page.getByRole("button", { name: /^Welcome/ })).toBeVisible();
  await expect(page.getByRole("switch", { name: "In the look of your brand" })).toBeHidden();
});
