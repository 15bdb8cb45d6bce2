import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { openPalette } from "./palette";
import { callApi, type Product } from "./product";

interface Draft {
  id: string;
  name: string;
  subject: string;
  previewText: string;
  body: string | null;
}

async function newDraft(product: Product, name: string): Promise<{ id: string; url: string }> {
  const { body } = await callApi<Draft>(product, "POST", "/v1/campaigns", {
    name,
    subject: "First subject",
    body: "<p>First body</p>",
    incomplete: true,
  });
  return {
    id: body.id,
    url: `${product.url}/dashboard/${product.projectId}/campaigns/${body.id}`,
  };
}

const subjectOf = (page: Page) => page.getByRole("textbox", { name: "Subject", exact: true });
const previewTextOf = (page: Page) => page.getByRole("textbox", { name: /Preview text/ });
const saved = (page: Page) => page.getByText("Saved", { exact: true });
const stored = async (product: Product, id: string) =>
  (await callApi<Draft>(product, "GET", `/v1/campaigns/${id}`)).body;

test("two tabs of a composer keep each other's fields, and show both texts of the same one", async ({
  dashboard: page,
  product,
}) => {
  const { id, url } = await newDraft(product, "Two tabs");
  await page.goto(url);
  const otherTab = await page.context().newPage();
  await otherTab.goto(url);
  await expect(subjectOf(otherTab)).toHaveValue("First subject");

  // Different fields: both stay.
  await subjectOf(page).fill("Subject of the first tab");
  await expect(saved(page)).toBeVisible();
  await previewTextOf(otherTab).fill("Preview of the second tab");
  await expect(saved(otherTab)).toBeVisible();
  expect(await stored(product, id)).toMatchObject({
    subject: "Subject of the first tab",
    previewText: "Preview of the second tab",
    body: "<p>First body</p>",
  });
  await expect(subjectOf(otherTab)).toHaveValue("Subject of the first tab");

  // The same field: nothing is saved before somebody chooses.
  await subjectOf(otherTab).fill("Written by the second");
  await expect(saved(otherTab)).toBeVisible();
  await subjectOf(page).fill("Written by the first");
  const conflict = page.getByRole("region", { name: "Conflicting changes" });
  await expect(conflict).toContainText("Written by the first");
  await expect(conflict).toContainText("Written by the second");
  expect((await stored(product, id)).subject).toBe("Written by the second");
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await expect(conflict).toHaveCount(0);
  await expect(saved(page)).toBeVisible();
  expect((await stored(product, id)).subject).toBe("Written by the first");

  await subjectOf(otherTab).fill("Once more by the second");
  await expect(otherTab.getByRole("region", { name: "Conflicting changes" })).toBeVisible();
  await otherTab.getByRole("button", { name: "Take theirs" }).click();
  await expect(subjectOf(otherTab)).toHaveValue("Written by the first");
  await expect(saved(otherTab)).toBeVisible();
  expect((await stored(product, id)).subject).toBe("Written by the first");
  await otherTab.close();
});

test("what was typed right before Back, or before going elsewhere by the palette, is saved", async ({
  dashboard: page,
  product,
}) => {
  const { id, url } = await newDraft(product, "Left at once");
  const list = `${product.url}/dashboard/${product.projectId}/campaigns`;
  await page.goto(list);
  await page.getByRole("link", { name: "Left at once" }).click();
  await expect(page).toHaveURL(url);
  await subjectOf(page).fill("Typed before Back");
  await page.goBack();
  await expect(page).toHaveURL(list);
  await expect.poll(async () => (await stored(product, id)).subject).toBe("Typed before Back");
  await page.goForward();
  await expect(subjectOf(page)).toHaveValue("Typed before Back");

  await subjectOf(page).fill("Typed before the palette");
  await (await openPalette(page)).fill("Domains");
  await page.getByRole("option", { name: "Domains" }).first().click();
  await expect(page).toHaveURL(/\/domains$/);
  await expect
    .poll(async () => (await stored(product, id)).subject)
    .toBe("Typed before the palette");
});

test("while the server is away what is written waits: it is saved on its return, or offered after a reload", async ({
  dashboard: page,
  product,
}) => {
  const { id, url } = await newDraft(product, "Server away");
  await page.goto(url);
  let away = true;
  await page.route("**/v1/campaigns/cmp_*", (route) =>
    away && route.request().method() === "PATCH"
      ? route.fulfill({ status: 503, body: "away" })
      : route.fallback(),
  );
  await subjectOf(page).fill("Written while it was away");
  await expect(page.getByText("Not saved", { exact: true })).toBeVisible();
  away = false;
  await expect(saved(page)).toBeVisible({ timeout: 15_000 });
  expect((await stored(product, id)).subject).toBe("Written while it was away");

  away = true;
  await subjectOf(page).fill("Written and never sent");
  await expect(page.getByText("Not saved", { exact: true })).toBeVisible();
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  away = false;
  await expect(subjectOf(page)).toHaveValue("Written while it was away");
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(subjectOf(page)).toHaveValue("Written and never sent");
  await expect(saved(page)).toBeVisible();
  expect((await stored(product, id)).subject).toBe("Written and never sent");
  await page.reload();
  await expect(subjectOf(page)).toHaveValue("Written and never sent");
  await expect(page.getByRole("button", { name: "Restore", exact: true })).toHaveCount(0);
});
