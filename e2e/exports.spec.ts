import { readFile } from "node:fs/promises";
import { faults, overflow } from "./axe";
import { expect, test } from "./fixtures";
import { callApi, type Product } from "./product";

const contactsOf = (product: Product) =>
  `${product.url}/dashboard/${product.projectId}/contacts?search=exported.example`;

async function makeContacts(product: Product, count: number): Promise<void> {
  await callApi(product, "POST", "/v1/contacts/bulk", {
    contacts: Array.from({ length: count }, (_, n) => ({ email: `p${n}@exported.example` })),
  });
}

test("an export that is complete is told with its rows, and the audit log's and the project's as well", async ({
  dashboard: page,
  product,
}) => {
  await makeContacts(product, 5);
  await page.goto(contactsOf(product));
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export these" }).press("Enter");
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("contacts.csv");
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(6);
  await expect(page.getByText("contacts.csv is complete")).toBeVisible();
  await expect(page.getByText(/^5 rows, \d+ B$/)).toBeVisible();

  const settings = `${product.url}/dashboard/${product.projectId}/settings`;
  for (const { path, link, filename } of [
    { path: `${settings}/audit`, link: "Export all", filename: "audit-log.csv" },
    { path: settings, link: "Export the project", filename: "project.zip" },
  ]) {
    await page.goto(path);
    const next = page.waitForEvent("download");
    await page.getByRole("link", { name: link }).click();
    expect((await next).suggestedFilename()).toBe(filename);
    await expect(page.getByText(`${filename} is complete`)).toBeVisible();
  }
});

test("an export that takes long says how far it is on every page, and is cancelled or begun again", async ({
  dashboard: page,
  product,
}) => {
  await makeContacts(product, 5);
  // What the server would say of a large one.
  const running = { state: "RUNNING", rows: 12_000, bytes: 3_000_000, failureReason: null };
  let answer: Record<string, unknown> = running;
  await page.route("**/v1/exports/**", (route) => {
    if (route.request().method() === "POST") answer = { ...answer, state: "CANCELLED" };
    return route.fulfill({ json: answer });
  });
  await page.goto(contactsOf(product));
  const link = page.getByRole("link", { name: "Export these" });
  const begin = async () => {
    const downloading = page.waitForEvent("download");
    await link.click();
    await downloading;
  };
  await begin();
  const progress = page.getByRole("progressbar", { name: "Exporting contacts.csv" });
  await expect(progress).toBeVisible();
  await expect(page.getByText("12,000 rows, 2.9 MB so far.")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns`);
  await expect(progress).toBeVisible();
  await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  await expect(page.getByText("The export of contacts.csv was stopped")).toBeVisible();
  await expect(progress).toHaveCount(0);

  const reason = "Reading what is to be exported took too long.";
  answer = { ...running, state: "FAILED", failureReason: reason };
  await page.goto(contactsOf(product));
  await begin();
  const alert = page.getByRole("alert").filter({ hasText: "contacts.csv is not complete" });
  await expect(alert).toContainText(reason);
  expect(await faults(page)).toEqual([]);
  await page.unroute("**/v1/exports/**");
  const again = page.waitForEvent("download");
  await alert.getByRole("link", { name: "Export again" }).click();
  expect((await again).suggestedFilename()).toBe("contacts.csv");
  await expect(alert).toHaveCount(0);
  await expect(page.getByText("contacts.csv is complete")).toBeVisible();
});
