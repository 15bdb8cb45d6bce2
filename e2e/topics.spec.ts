import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("a topic is added once per press, told what is wrong with it, renamed and deleted", async ({
  dashboard: page,
  product,
}) => {
  const names = async () =>
    (await callApi<{ data: { name: string }[] }>(product, "GET", "/v1/topics")).body.data.map(
      ({ name }) => name,
    );
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/settings/topics`);
  const add = page.getByRole("button", { name: "Add topic" });
  await add.click();
  await expect(page.getByText("is empty")).toBeVisible();
  await expect(page.getByLabel("Name")).toBeFocused();

  await page.getByLabel("Name").fill("Product news");
  // Recipients' page shows it before it is there.
  const seen = page.frameLocator('iframe[title="What recipients will see"]');
  await expect(seen.getByText("Product news").first()).toBeVisible();
  expect(await names()).toEqual([]);
  await add.dblclick();
  const row = page.getByRole("list", { name: "Topics" }).getByRole("listitem");
  await expect(row).toHaveCount(1);
  await expect(page.getByLabel("Name")).toHaveValue("");
  expect(posts.filter((path) => path.endsWith("/topics"))).toHaveLength(1);

  // A name that is taken stays in the field.
  await page.getByLabel("Name").fill("Product news");
  await add.click();
  await expect(page.getByRole("alert").filter({ hasText: "Product news" })).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Product news");
  await page.getByLabel("Name").fill("");

  await row.getByRole("button", { name: "Edit Product news" }).click();
  await row.getByLabel("Name").fill("Releases");
  await expect(seen.getByText("Releases").first()).toBeVisible();
  await expect(seen.getByText("Product news")).toHaveCount(0);
  await row.getByRole("button", { name: "Save" }).click();
  await expect(row.getByText("Releases")).toBeVisible();
  expect(await names()).toEqual(["Releases"]);

  await row.getByRole("button", { name: "Delete Releases" }).click();
  await page.getByRole("button", { name: "Delete topic" }).dblclick();
  await expect(page.getByText("No topics yet")).toBeVisible();
  expect(await names()).toEqual([]);
});
