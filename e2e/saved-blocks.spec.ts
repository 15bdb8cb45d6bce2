import type { Page } from "@playwright/test";
import { faults } from "./axe";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

interface Template {
  id: string;
  body: string;
  design: { content: unknown[] };
}

const text = (words: string) => ({ type: "text", text: words });
const header = {
  type: "section",
  attrs: { background: "#112233", color: null },
  content: [{ type: "heading", attrs: { level: 1, align: "center" }, content: [text("Tea news")] }],
};
const line = { type: "paragraph", attrs: { align: "left" }, content: [text("Hello.")] };

const canvasOf = (page: Page) => page.getByRole("textbox", { name: "Email", exact: true });

test("a block is saved from one email and put into another, the same after saving and reloading", async ({
  dashboard: page,
  product,
}) => {
  const create = async (name: string, content: unknown[]) => {
    const design = { type: "doc", attrs: { theme: {} }, content };
    const input = { name, subject: name, body: "-", design };
    return (await callApi<Template>(product, "POST", "/v1/templates", input)).body.id;
  };
  const path = (id: string) => `${product.url}/dashboard/${product.projectId}/templates/${id}`;
  const [first, second] = [await create("First", [header, line]), await create("Second", [line])];

  await page.goto(path(first));
  await canvasOf(page).getByText("Tea news").click();
  await page.getByRole("navigation", { name: "Where you are" }).getByText("Section").click();
  await page.getByRole("button", { name: "Save for other emails…" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Header");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved for other emails", { exact: true })).toBeVisible();

  await page.goto(path(second));
  await canvasOf(page).getByText("Hello.").click();
  await page.getByRole("button", { name: "Saved…" }).click();
  const dialog = page.getByRole("dialog", { name: "Saved blocks" });
  await dialog.getByRole("button", { name: "Rename Header" }).click();
  await dialog.getByLabel("Name").fill("Top");
  await dialog.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(dialog.getByRole("button", { name: "Insert Top" })).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Insert Top" }).click();
  await expect(canvasOf(page).getByText("Tea news")).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  const kept = await callApi<Template>(product, "GET", `/v1/templates/${second}`);
  expect(kept.body.design.content).toEqual([line, header]);

  await page.reload();
  await expect(canvasOf(page).getByText("Tea news")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();

  // What was put into an email stays there.
  await page.getByRole("button", { name: "Saved…" }).click();
  await dialog.getByRole("button", { name: "Delete Top" }).click();
  await page.getByRole("button", { name: "Delete saved block" }).click();
  await expect(dialog.getByText("Nothing is saved yet.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(canvasOf(page).getByText("Tea news")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Saved…" }).click();
  await expect(dialog.getByRole("button", { name: "Delete Top" })).toBeVisible();
});
