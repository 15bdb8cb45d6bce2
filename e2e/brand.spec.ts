import type { Page } from "@playwright/test";
import { faults } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

/** A red pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

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
  // So does the mail that we write in the project's name, before anything is saved.
  await page.getByRole("tab", { name: "The email that asks to confirm" }).click();
  const mail = page.frameLocator('iframe[title="What recipients will see"]');
  await expect(mail.locator('[style*="#7a1fa2"]').first()).toBeAttached();
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

test("the pages of recipients are seen in a new name, colour and language before these are saved", async ({
  dashboard: page,
  product,
}) => {
  const read = async () => {
    const address = `${product.url}/api/dashboard/${product.projectId}/v1/project`;
    const settings: unknown = await (await page.request.get(address)).json();
    return settings;
  };
  const before = await read();
  await page.goto(`${product.url}/dashboard/${product.projectId}/settings`);
  const form = page.getByRole("form", { name: "Project", exact: true });
  const preview = page.getByRole("region", { name: "Preview", exact: true });
  const frame = page.locator('iframe[title="What recipients will see"]');
  const shown = page.frameLocator('iframe[title="What recipients will see"]');
  await expect(frame).toHaveAttribute("sandbox", "");
  await expect(shown.getByRole("heading", { level: 1 })).toHaveText("Your email preferences");

  await form.getByLabel("Project name").fill("The Paper Mill");
  await form.getByLabel("Colour").fill("#0b6e4f");
  await expect(shown.getByText("The Paper Mill").first()).toBeVisible();
  await expect(shown.getByText("ada@example.com").first()).toBeVisible();
  await chooseOption(
    preview.getByRole("combobox", { name: "Preview of" }),
    "After “Unsubscribe” in an email",
  );
  await expect(shown.locator("button.primary").first()).toHaveCSS(
    "background-color",
    "rgb(11, 110, 79)",
  );
  await chooseOption(
    preview.getByRole("combobox", { name: "Preview of" }),
    "The page of a sign-up form",
  );
  await expect(shown.getByLabel(/First name/)).toBeVisible();
  await chooseOption(form.getByRole("combobox", { name: "Language" }), "Deutsch");
  await expect(shown.getByLabel(/Vorname/)).toBeVisible();

  // The frame runs no scripts, so its style is asked for and not computed in it.
  const body = shown.locator("body");
  await expect(body).toHaveCSS("background-color", "rgb(247, 242, 231)");
  const wide = (await frame.boundingBox())?.width ?? 0;
  await preview.getByRole("button", { name: "Dark" }).click();
  await expect(body).toHaveCSS("background-color", "rgb(26, 23, 20)");
  await preview.getByRole("button", { name: "Phone" }).click();
  await expect.poll(async () => (await frame.boundingBox())?.width ?? 0).toBeLessThan(400);
  expect(wide).toBeGreaterThan(400);
  expect(await faults(page)).toEqual([]);
  expect(await read()).toEqual(before);

  // On a phone it stands below the form.
  await page.setViewportSize({ width: 390, height: 844 });
  const [above, below] = [await form.boundingBox(), await preview.boundingBox()];
  expect(below?.y ?? 0).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
});

test("an uploaded logo is seen on the pages of recipients before it is saved, and stands on them afterwards", async ({
  dashboard: page,
  product,
}) => {
  const address = `${product.url}/api/dashboard/${product.projectId}/v1/project`;
  const read = async () =>
    (await (await page.request.get(address)).json()) as { name: string; brand: object | null };
  const { name } = await read();
  await page.goto(`${product.url}/dashboard/${product.projectId}/settings/brand`);
  await page.getByRole("tab", { name: "The pages recipients see" }).click();
  const shown = page.frameLocator('iframe[title="What recipients will see"]');
  await expect(shown.getByRole("heading", { level: 1 })).toHaveText("Your email preferences");
  await expect(shown.getByRole("img")).toHaveCount(0);

  await page.getByRole("button", { name: "Choose a logo…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByLabel("Files to upload")
    .setInputFiles({ name: "mark.png", mimeType: "image/png", buffer: png });
  await expect(dialog.getByRole("button", { name: "mark.png" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await dialog.getByRole("button", { name: "Insert image" }).click();
  // As wide as it is high: it was loaded, and is no name in its place.
  const logo = shown.getByRole("img", { name, exact: true });
  await expect(logo).toHaveCSS("width", "48px");
  await expect(logo).toHaveCSS("height", "48px");
  const preview = page.getByRole("region", { name: "Preview", exact: true });
  await preview.getByRole("button", { name: "Dark" }).click();
  await expect(shown.locator("body")).toHaveCSS("background-color", "rgb(26, 23, 20)");
  await expect(shown.locator("p.brand")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await chooseOption(
    preview.getByRole("combobox", { name: "Preview of" }),
    "The page of a sign-up form",
  );
  await expect(shown.getByLabel(/First name/)).toBeVisible();
  await expect(logo).toHaveCSS("width", "48px");
  await expect(page.getByText("do not show this logo")).toHaveCount(0);
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Brand saved")).toBeVisible();

  const form = await callApi<{ id: string }>(product, "POST", "/v1/forms", { name: "With a logo" });
  await page.goto(`${product.url}/f/${form.body.id}`);
  const own = page.getByRole("img", { name, exact: true });
  await expect
    .poll(() => own.evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0);
  expect(await faults(page)).toEqual([]);

  // A logo on another server is one of mails alone, and the settings say so.
  const { brand } = await read();
  const foreign = { ...brand, logo: { src: "https://cdn.example.org/logo.png" } };
  const changed = await page.request.patch(address, {
    headers: { origin: product.url },
    data: { brand: foreign },
  });
  expect(changed.status()).toBe(200);
  await page.goto(`${product.url}/f/${form.body.id}`);
  await expect(page.locator("p.brand")).toContainText(name);
  await expect(page.getByRole("img")).toHaveCount(0);
  await page.goto(`${product.url}/dashboard/${product.projectId}/settings/brand`);
  await expect(page.getByText("The pages recipients see do not show this logo")).toBeVisible();
});
