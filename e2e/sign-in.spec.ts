import { totpCode } from "@/lib/domain/users/totp";
import { faults } from "./axe";
import { bootstrap, expect, newLoginUrl, signIn, test } from "./fixtures";
import { signOut } from "./sign-out";

test("a one-time link signs in once, and opening it uses nothing up", async ({
  product,
  browser,
  buildId,
}) => {
  const url = newLoginUrl(product);
  const scanner = await browser.newContext();
  const scanned = await (await scanner.newPage()).goto(url);
  expect(scanned?.status()).toBe(200);
  expect(await scanned?.text()).toContain(buildId);
  await scanner.close();

  const person = await browser.newContext();
  const page = await person.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/dashboard\/prj_/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  const late = await (await browser.newContext()).newPage();
  await late.goto(url);
  await expect(late.getByRole("button", { name: "Sign in" })).toHaveCount(0);
  await expect(late.getByText(/used|expired/i).first()).toBeVisible();
  await late.context().close();
  await person.close();
});

test("a page of the dashboard sends strangers to the sign-in page, which knows the way back", async ({
  page,
  product,
}) => {
  const deep = `/dashboard/${product.projectId}/emails?status=BOUNCED`;
  await page.goto(product.url + deep);
  await expect(page).toHaveURL(`${product.url}/sign-in?to=${encodeURIComponent(deep)}`);
});

test("a password from the reset mail signs in, a wrong one does not, signing out ends it", async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/sign-in/forgot`);
  await page.getByLabel("Email").fill(product.owner);
  await page.getByRole("radio", { name: /password/i }).check();
  await page.getByRole("button", { name: /send|mail/i }).click();

  await signIn(page, product);
  await page.goto(`${product.url}/dashboard/${product.projectId}/captured`);
  await page
    .getByText(/password/i)
    .first()
    .click();
  const link = page.frameLocator("iframe").first().getByRole("link").first();
  const reset = await link.getAttribute("href");
  expect(reset).toContain("/sign-in/reset/");

  await page.context().clearCookies();
  await page.goto(reset ?? "");
  const password = "a sentence that nobody guesses";
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page).toHaveURL(/\/dashboard/);

  await signOut(page, product.owner);

  await page.getByLabel("Email").fill(product.owner);
  await page.getByLabel("Password").fill("not this one");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert").first()).toContainText(/address or the password is wrong/i);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard/);
});

test("with the server away the sign-in page stays as it is and says so, once for the last try", async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel("Email").fill(product.owner);
  await page.getByLabel("Password").fill("not this one");
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const said = page.locator("form").getByRole("alert");
  await press("Sign in");
  await expect(said).toHaveText("The address or the password is wrong.");
  await page.route("**/api/auth/**", (route) => route.abort());
  await press("Sign in");
  await expect(said).toHaveText(/cannot be reached/);
  await press("Sign in with a passkey");
  await expect(said).toHaveText(/cannot be reached/);
  await expect(page).toHaveURL(`${product.url}/sign-in`);
  await expect(page.getByLabel("Email")).toHaveValue(product.owner);
});

test("signing out and ending a session elsewhere hold on the server", async ({
  product,
  browser,
}) => {
  const [here, there] = [await browser.newContext(), await browser.newContext()];
  const [own, other] = [await here.newPage(), await there.newPage()];
  await signIn(own, product);
  await signIn(other, product);
  const overview = `${product.url}/api/dashboard/${product.projectId}/v1/project`;
  expect((await there.request.get(overview)).status()).toBe(200);

  await own.goto(`${product.url}/dashboard/${product.projectId}/settings`);
  await own.getByRole("button", { name: "End all other sessions" }).click();
  await own.getByRole("button", { name: "End all others" }).click();
  // What lies behind an open dialog has no role: only its end shows that the server has answered.
  await expect(own.getByText("All other sessions have ended")).toBeVisible();
  await expect(own.getByRole("button", { name: "End all other sessions" })).toHaveCount(0);
  expect((await there.request.get(overview)).status()).toBe(401);

  const cookies = await here.cookies();
  await signOut(own, product.owner);
  // A kept copy of the cookie is worth nothing.
  await here.addCookies(cookies);
  expect((await here.request.get(overview)).status()).toBe(401);
  await here.close();
  await there.close();
});

test("two-step sign-in: switched on, asked for after a link, opened by a recovery code, switched off", async ({
  product,
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const settings = `${product.url}/dashboard/${product.projectId}/settings`;
  await signIn(page, product);
  await page.goto(settings);
  await page.getByRole("button", { name: "Switch on two-step sign-in" }).click();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  const dialog = page.getByRole("dialog");
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByLabel("Code", { exact: true }).fill("000000");
  await dialog.getByRole("button", { name: "Switch on" }).click();
  await expect(dialog.getByText(/not the code/)).toBeVisible();
  const code = totpCode(secret, Math.floor(Date.now() / 30_000));
  await dialog.getByLabel("Code", { exact: true }).fill(code);
  await dialog.getByRole("button", { name: "Switch on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const [first = "", second = ""] = await codes.allTextContents();
  await dialog.getByRole("button", { name: "I have kept them" }).click();
  await expect(page.getByText("10 of 10 recovery codes are left")).toBeVisible();

  const later = await (await browser.newContext()).newPage();
  await later.goto(newLoginUrl(product));
  await later.getByRole("button", { name: "Sign in" }).click();
  await expect(later).toHaveURL(/\/sign-in\/code/);
  // The first step alone opens nothing.
  const overview = `${product.url}/api/dashboard/${product.projectId}/v1/project`;
  expect((await later.request.get(overview)).status()).toBe(401);
  await later.getByLabel("Code").fill(code);
  await later.getByRole("button", { name: "Sign in" }).click();
  await expect(later.getByRole("alert").first()).toContainText("wrong, or has been used");
  await later.getByLabel("Code").fill(first);
  await later.getByRole("button", { name: "Sign in" }).click();
  await expect(later).toHaveURL(/\/dashboard\/prj_/);
  await later.context().close();

  await page.goto(settings);
  await page.getByRole("button", { name: "Switch off" }).click();
  await dialog.getByLabel("Code", { exact: true }).fill(second);
  await dialog.getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByRole("button", { name: "Switch on two-step sign-in" })).toBeVisible();
  await context.close();
});

test("a password is set by somebody who has none, then changed with the current one, which signs out elsewhere", async ({
  product,
  browser,
}) => {
  // Somebody of their own, whom no other test has given a password.
  const owner = `password+${Date.now()}@example.com`;
  const { projectId, loginUrl } = bootstrap(product, owner);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(loginUrl);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/dashboard\/prj_/);
  await page.goto(`${product.url}/dashboard/${projectId}/settings`);
  await page.getByRole("button", { name: "Set a password…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("New password", { exact: true })).toBeFocused();
  await dialog.getByLabel("New password", { exact: true }).fill("short");
  await dialog.getByRole("button", { name: "Set the password" }).click();
  await expect(dialog.getByText("is shorter than 10 characters")).toBeVisible();
  await dialog.getByLabel("New password", { exact: true }).fill("a first sentence to remember");
  await dialog.getByLabel("New password", { exact: true }).press("Enter");
  await expect(page.getByText("Password set")).toBeVisible();

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await other.goto(`${product.url}/sign-in`);
  await other.getByLabel("Email").fill(owner);
  await other.getByLabel("Password").fill("a first sentence to remember");
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(other).toHaveURL(/\/dashboard/);

  await page.getByRole("button", { name: "Change the password…" }).click();
  expect(await faults(page)).toEqual([]);
  await dialog.getByLabel("Current password").fill("not this one");
  await dialog.getByLabel("New password", { exact: true }).fill("a second sentence to remember");
  await dialog.getByRole("button", { name: "Change the password" }).click();
  await expect(dialog.getByText("is wrong")).toBeVisible();
  await dialog.getByLabel("Current password").fill("a first sentence to remember");
  await dialog.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("Password changed")).toBeVisible();
  await expect(page.getByText("You were signed out in 1 other place.")).toBeVisible();
  const own = `${product.url}/api/dashboard/${projectId}/v1/project`;
  expect((await elsewhere.request.get(own)).status()).toBe(401);
  expect((await context.request.get(own)).status()).toBe(200);

  await page.goto(`${product.url}/dashboard/${projectId}/captured`);
  await expect(page.getByText("Your Lettermill password was changed").first()).toBeVisible();
  await context.close();
  await elsewhere.close();
});
