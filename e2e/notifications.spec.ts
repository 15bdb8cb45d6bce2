import { expect, test } from "./fixtures";

test("a member chooses by keyboard which mails about the project come, and it stays chosen", async ({
  dashboard: page,
  product,
}) => {
  const settings = `${product.url}/dashboard/${product.projectId}/settings`;
  await page.goto(settings);
  const summary = page.getByRole("switch", { name: /^Weekly summary/ });
  const domain = page.getByRole("switch", { name: /^A domain is no longer verified/ });
  await expect(summary).not.toBeChecked();
  await expect(domain).toBeChecked();
  await summary.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("Notifications saved")).toBeVisible();
  await expect(summary).toBeChecked();
  await domain.focus();
  await page.keyboard.press("Space");
  await expect(domain).not.toBeChecked();
  await page.goto(settings);
  await expect(summary).toBeChecked();
  await expect(domain).not.toBeChecked();

  // What is not saved does not look as if it were.
  await page.route("**/v1/notifications", (route) => route.abort());
  await domain.click();
  await expect(page.getByText("Nothing was changed")).toBeVisible();
  await expect(domain).not.toBeChecked();
});
