import { expect, test } from "./fixtures";
import { signInAsViewer } from "./as-viewer";
import { callApi } from "./product";

test("a viewer sees forms, topics, settings and who leaves, and meets no button that fails", async ({
  page,
  product,
}) => {
  test.setTimeout(120_000);
  const { body: form } = await callApi<{ id: string }>(product, "POST", "/v1/forms", {
    name: "Seen by all",
  });
  await callApi(product, "POST", "/v1/topics", { name: "Releases" });
  await callApi(product, "PUT", "/v1/contacts/fields/plan", { kind: "text" });
  await callApi(product, "PUT", "/v1/contacts/fields/seats", { kind: "number" });
  await signInAsViewer(page, product);
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  const changes =
    /save|create|add|edit|delete|remove|move (up|down)|rename|upload|import|^export$/i;
  const pages = {
    "/forms": "Forms",
    [`/forms/${form.id}`]: "Seen by all",
    [`/forms/${form.id}/share`]: "Seen by all",
    [`/forms/${form.id}/edit`]: "Seen by all",
    "/settings/topics": "Topics",
    "/settings/fields": "Fields and tags",
    "/settings": "Settings",
    "/contacts/departures": "Who leaves",
  };
  for (const [path, title] of Object.entries(pages)) {
    await page.goto(`${product.url}/dashboard/${product.projectId}${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    const main = page.getByRole("main");
    // Which emails they get is theirs to choose, as are their password, second factor and passkeys.
    const theirs = main.locator("section", { hasText: "Emails to you" });
    for (const role of ["button", "link", "switch"] as const) {
      const which = { name: changes, disabled: false };
      const open = main.getByRole(role, which).filter({ hasNotText: "Add a passkey" });
      expect
        .soft(await open.allInnerTexts(), `${path}: ${role}`)
        .toEqual(await theirs.getByRole(role, which).allInnerTexts());
    }
  }
  await page.goto(`${product.url}/dashboard/${product.projectId}/settings/fields`);
  await expect(page.getByRole("row", { name: "seats" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Change/ })).toHaveCount(0);
  await page.goto(`${product.url}/dashboard/${product.projectId}/forms/${form.id}/edit`);
  await expect(page.getByText("Editors, admins and owners can change this form.")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toBeDisabled();
  const preview = page.frameLocator("iframe[title='Preview of the form']");
  await expect(preview.getByRole("button", { name: "Subscribe" })).toBeVisible();
  // A new form is not for them: its address leads back.
  await page.goto(`${product.url}/dashboard/${product.projectId}/forms/new`);
  await expect(page).toHaveURL(/\/forms$/);
  expect(refused).toEqual([]);
});
