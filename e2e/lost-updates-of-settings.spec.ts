import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

const conflictIn = (dialog: Locator) => dialog.getByRole("region", { name: "Conflicting changes" });

test("two tabs of a custom field keep each other's words, and show both texts of the same one", async ({
  dashboard: page,
  product,
}) => {
  const path = "/v1/contacts/fields/tier";
  await callApi(product, "PUT", path, { kind: "text", description: "First" });
  const stored = async () => {
    const { body } = await callApi<{ data: { key: string }[] }>(
      product,
      "GET",
      "/v1/contacts/fields",
    );
    return body.data.find(({ key }) => key === "tier");
  };
  const open = async (tab: Page) => {
    await tab.goto(`${product.url}/dashboard/${product.projectId}/settings/fields`);
    await tab.getByRole("button", { name: "Change tier", exact: true }).click();
    await tab.getByRole("menuitem", { name: /^Edit/ }).click();
    return tab.getByRole("dialog");
  };
  const save = (dialog: Locator) =>
    dialog.getByRole("button", { name: "Save", exact: true }).click();
  const otherTab = await page.context().newPage();

  const [mine, theirs] = [await open(page), await open(otherTab)];
  await theirs.getByLabel("Description").fill("Described by them");
  await save(theirs);
  await expect(theirs).toHaveCount(0);
  await mine.getByLabel("Description").fill("Described by me");
  await save(mine);
  const conflict = conflictIn(mine);
  await expect(conflict).toContainText("Described by me");
  await expect(conflict).toContainText("Described by them");
  expect(await stored()).toMatchObject({ description: "Described by them" });
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await save(mine);
  await expect(mine).toHaveCount(0);
  expect(await stored()).toMatchObject({ kind: "text", description: "Described by me" });
  await otherTab.close();
});

test("two tabs of a warm-up plan show both, and one that was turned off is not turned on unseen", async ({
  dashboard: page,
  product,
}) => {
  const { body: domains } = await callApi<{ data: { id: string; name: string }[] }>(
    product,
    "GET",
    "/v1/domains",
  );
  const domain = domains.data.find(({ name }) => name === "sandbox.test");
  const path = `/v1/domains/${domain?.id}/warmup`;
  await callApi(product, "PUT", path, { enabled: true, schedule: [10, 20, 30] });
  const stored = async () => (await callApi<object>(product, "GET", path)).body;
  const open = async (tab: Page) => {
    await tab.goto(`${product.url}/dashboard/${product.projectId}/domains/${domain?.id}`);
    await tab.getByRole("button", { name: "Change plan" }).click();
    return tab.getByRole("dialog");
  };
  const save = (dialog: Locator) => dialog.getByRole("button", { name: "Save plan" }).click();
  const second = (dialog: Locator) => dialog.getByLabel("Emails on day 2", { exact: true });
  const otherTab = await page.context().newPage();
  let [mine, theirs] = [await open(page), await open(otherTab)];
  await second(theirs).fill("222");
  await save(theirs);
  await expect(theirs).toHaveCount(0);
  await second(mine).fill("25");
  await save(mine);
  await expect(conflictIn(mine)).toContainText("25");
  await expect(conflictIn(mine)).toContainText("222");
  expect(await stored()).toMatchObject({ schedule: [10, 222, 30] });
  await conflictIn(mine).getByRole("button", { name: "Keep mine" }).click();
  await save(mine);
  await expect(mine).toHaveCount(0);
  expect(await stored()).toMatchObject({ schedule: [10, 25, 30] });

  [mine, theirs] = [await open(page), await open(otherTab)];
  await callApi(product, "PUT", path, { enabled: false });
  await second(mine).fill("26");
  await save(mine);
  await expect(conflictIn(mine)).toContainText("Off");
  expect(await stored()).toMatchObject({ enabled: false });
  await conflictIn(mine).getByRole("button", { name: "Take theirs" }).click();
  await mine.getByRole("button", { name: "Leave it off" }).click();
  await expect(mine).toHaveCount(0);
  expect(await stored()).toMatchObject({ enabled: false, schedule: [10, 25, 30] });
  await otherTab.close();
});

test("two tabs of a sending connection keep each other's fields, and show both texts of the same one", async ({
  dashboard: page,
  product,
}) => {
  const { body: connection } = await callApi<{ id: string }>(product, "POST", "/v1/connections", {
    ...{ kind: "smtp", name: "Shared server", host: "127.0.0.1", port: 9, tls: "off" },
    standard: false,
  });
  const path = `/v1/connections/${connection.id}`;
  const stored = async () => (await callApi<object>(product, "GET", path)).body;
  const open = async (tab: Page) => {
    await tab.goto(`${product.url}/dashboard/${product.projectId}/settings/connections`);
    await tab.getByRole("button", { name: /^Edit / }).click();
    return tab.getByRole("dialog");
  };
  const save = (dialog: Locator) =>
    dialog.getByRole("button", { name: "Save", exact: true }).click();
  const otherTab = await page.context().newPage();
  const [mine, theirs] = [await open(page), await open(otherTab)];
  await theirs.getByLabel("Name", { exact: true }).fill("Named by them");
  await theirs.getByLabel("Port").fill("10");
  await save(theirs);
  await expect(theirs).toHaveCount(0);
  await mine.getByLabel("Port").fill("11");
  await save(mine);
  await expect(conflictIn(mine)).toContainText("10");
  await expect(conflictIn(mine)).toContainText("11");
  await conflictIn(mine).getByRole("button", { name: "Keep mine" }).click();
  await save(mine);
  await expect(mine).toHaveCount(0);
  expect(await stored()).toMatchObject({ name: "Named by them", port: 11 });
  await callApi(product, "DELETE", path);
  await otherTab.close();
});

test("who keeps their own choice of a webhook's events gets all of it", async ({
  dashboard: page,
  product,
}) => {
  const { body: webhook } = await callApi<{ id: string }>(product, "POST", "/v1/webhooks", {
    url: "http://127.0.0.1:9/events",
    events: ["email.delivered"],
  });
  const path = `/v1/webhooks/${webhook.id}`;
  await page.goto(`${product.url}/dashboard/${product.projectId}/webhooks/${webhook.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit webhook" });
  await callApi(product, "PATCH", path, { events: ["*"] });
  await dialog.getByRole("checkbox", { name: "email.bounced" }).click();
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  await save.click();
  await conflictIn(dialog).getByRole("button", { name: "Keep mine" }).click();
  await save.click();
  await expect(dialog).toHaveCount(0);
  const { body } = await callApi<{ events: string[] }>(product, "GET", path);
  expect(body.events).toEqual(["email.delivered", "email.bounced"]);
});
