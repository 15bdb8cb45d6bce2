import { faults, overflow } from "./axe";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("the oldest of many segments and templates is found by its name, with the keyboard alone", async ({
  dashboard: page,
  product,
}) => {
  test.setTimeout(120_000);
  const filter = { and: [{ field: "tags", op: "contains", value: "tea" }] };
  const make = (path: string, body: object) =>
    callApi<{ id: string }>(product, "POST", path, body).then(({ status, body: { id } }) => {
      expect(status).toBe(201);
      return id;
    });
  const oldest = await make("/v1/segments", { name: "Guests of 1999", filter });
  for (let n = 1; n <= 60; n++)
    await make("/v1/segments", { name: `Visitors of day ${n}`, filter });
  const letter = { subject: "Tea", body: "<p>Tea</p>" };
  const last = await make("/v1/templates", { name: "Zebra crossing", ...letter });
  for (let n = 1; n <= 55; n++) await make("/v1/templates", { name: `Letter ${n}`, ...letter });

  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns`);
  await page.getByRole("button", { name: "Create campaign" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("For few of many");
  await page.getByText("A segment", { exact: true }).click();
  const segment = page.getByLabel("Segment", { exact: true });
  await segment.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: "Visitors of day 60" })).toBeVisible();
  await expect(page.getByRole("option", { name: "Guests of 1999" })).toHaveCount(0);
  await expect(page.getByText("There are more: type part of the name.")).toBeVisible();
  await page.keyboard.type("1999");
  await expect(page.getByRole("option")).toHaveText(["Guests of 1999"]);
  await page.keyboard.press("Enter");
  await expect(segment).toHaveText("Guests of 1999");
  await page.getByRole("button", { name: "Start writing" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("For few of many");
  await expect(segment).toHaveText("Guests of 1999");
  await page.getByText("A template", { exact: true }).click();
  const template = page.getByLabel("Template", { exact: true });
  await template.click();
  await page.getByPlaceholder("Search by name").fill("nothing is called so");
  await expect(page.getByText("Nothing found")).toBeVisible();
  await page.getByPlaceholder("Search by name").fill("zebra");
  await expect(page.getByRole("option")).toHaveText(["Zebra crossing"]);
  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 740 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByRole("option").click();
  await expect(template).toHaveText("Zebra crossing");
  await expect(page.getByText("Saved", { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(segment).toHaveText("Guests of 1999");
  await expect(template).toHaveText("Zebra crossing");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const campaign = await callApi<object>(product, "GET", `/v1/campaigns/${id}`);
  expect(campaign.body).toMatchObject({ segmentId: oldest, templateId: last });

  // The chosen one goes, too.
  await segment.click();
  await page.getByRole("option", { name: "Choose a segment" }).click();
  await expect(segment).toHaveText("Choose a segment");
  await page.keyboard.press("Escape");
});
