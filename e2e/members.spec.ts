import { faults, overflow } from "./axe";
import { chooseOption } from "./by-mouse";
import { bootstrap, expect, test } from "./fixtures";

test("somebody is asked into a project, joins it, gets another role and leaves", async ({
  dashboard,
  browser,
  product,
}) => {
  test.setTimeout(120_000);
  const email = "grace+members@example.com";
  const members = `${product.url}/dashboard/${product.projectId}/settings/members`;
  const dialog = dashboard.getByRole("dialog");
  await dashboard.goto(members);
  await dashboard.getByRole("button", { name: "Invite somebody" }).click();
  await dialog.getByRole("button", { name: "Invite" }).click();
  await expect(dialog.getByLabel("Address")).toHaveAttribute("aria-invalid", "true");
  expect(await faults(dashboard)).toEqual([]);
  await dialog.getByLabel("Address").fill(email);
  await dialog.getByRole("button", { name: "Invite" }).click();
  // Mail is captured, and she has no project whose mailbox could show it.
  await expect(dialog.getByText(`Give ${email} this link`)).toBeVisible();
  const url = (await dialog.locator("code").textContent())?.trim() ?? "";
  expect(url).toContain("/dashboard/join/inv_");
  await dialog.getByRole("button", { name: "Done" }).click();
  const waiting = dashboard.getByRole("table", { name: "Invitations" });
  await expect(waiting.getByText(email)).toBeVisible();
  expect(await faults(dashboard)).toEqual([]);

  // She has an account of her own by now, with a project.
  const { loginUrl } = bootstrap(product, email);
  const context = await browser.newContext();
  const hers = await context.newPage();
  await hers.goto(loginUrl);
  await hers.getByRole("button", { name: "Sign in" }).click();
  await hers.waitForURL(/\/dashboard\/prj_/);
  await hers.goto(url);
  await expect(hers.getByRole("heading", { level: 1 })).toHaveText("Join My project?");
  await expect(hers.getByText("to become an editor")).toBeVisible();
  expect(await faults(hers)).toEqual([]);
  await hers.setViewportSize({ width: 375, height: 740 });
  expect(await overflow(hers)).toBeLessThanOrEqual(0);
  await hers.getByRole("button", { name: "Join My project" }).click();
  await hers.waitForURL(new RegExp(product.projectId));
  await hers.goto(url);
  await expect(hers.getByRole("heading", { level: 1 })).toHaveText("No such invitation");
  await hers.goto(members);
  await expect(hers.getByRole("table", { name: "Members" }).getByText(email)).toBeVisible();
  await expect(hers.getByRole("button", { name: "Invite somebody" })).toHaveCount(0);

  await dashboard.reload();
  await expect(waiting).toHaveCount(0);
  const promote = async () => {
    await dashboard.getByRole("button", { name: `Change the role of ${email}` }).click();
    await chooseOption(dialog.getByRole("combobox"), "Admin");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dashboard.getByText(`${email} is an admin now`)).toBeVisible();
  };
  await promote();
  await dashboard.getByRole("button", { name: "Undo" }).click();
  await expect(dashboard.getByText(`${email} is an editor now`)).toBeVisible();
  await dashboard.reload();
  await promote();
  await hers.reload();
  await expect(hers.getByRole("button", { name: "Invite somebody" })).toBeVisible();

  await hers.getByRole("button", { name: "Leave the project" }).click();
  await hers.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await hers.waitForURL((url) => !url.href.includes(product.projectId));
  expect((await hers.goto(members))?.status()).toBe(404);
  await dashboard.reload();
  await expect(dashboard.getByRole("table", { name: "Members" }).getByText(email)).toHaveCount(0);
  await context.close();
});
