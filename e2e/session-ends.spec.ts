import { totpCode } from "@/lib/domain/users/totp";
import { faults, overflow } from "./axe";
import { bootstrap, expect, test } from "./fixtures";
import { callApi } from "./product";
import {
  asked,
  at,
  comeBack,
  endSession,
  newTemplate,
  notice,
  otherDevice,
  password,
  returnTo,
  signInAgain,
  template,
} from "./session-end";
import { signOut } from "./sign-out";

test.describe.configure({ mode: "serial" });

test("a template on the canvas is saved with all its text after signing in on the spot", async ({
  dashboard: page,
  product,
}) => {
  await otherDevice(page, product);
  await page.goto(at(product, "templates/new"));
  await page.getByRole("button", { name: /^Welcome/ }).click();
  await page.getByRole("button", { name: "Create template" }).click();
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  const id = page.url().split("/").at(-1) ?? "";
  await page.reload();
  const url = page.url();
  const canvas = page.getByRole("textbox", { name: "Email", exact: true });
  await canvas.getByText("Three things that are worth doing first:").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" Written before.");
  await endSession(page, product);
  await page.keyboard.type(" Written after.");
  await page.keyboard.press("Control+Enter");
  await expect(asked(page)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await signInAgain(page, product);
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  expect(page.url()).toBe(url);
  expect((await template(product, id)).body).toContain("Written before. Written after.");
  // Back at the place where it was written.
  await expect(canvas).toBeFocused();
  await page.keyboard.type(" And on.");
  await expect(canvas.getByText("Written before. Written after. And on.")).toBeVisible();
});

test("the source of a template: put aside, it stays; the next press asks again", async ({
  dashboard: page,
  product,
}) => {
  const { id } = await newTemplate(product, "Source");
  await page.goto(at(product, `templates/${id}`));
  const source = page.getByRole("textbox", { name: "HTML", exact: true });
  const subject = page.getByLabel("Subject");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await subject.fill("Second");
  await endSession(page, product);
  await source.fill("<p>Second, and longer</p>");
  await page.keyboard.press("Control+Enter");
  await expect(asked(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(asked(page)).toHaveCount(0);
  await expect(notice(page)).toBeVisible();
  await expect(source).toContainText("Second, and longer");
  await expect(subject).toHaveValue("Second");
  expect((await template(product, id)).subject).toBe("First");

  // Writing on asks nothing.
  await subject.fill("Second, written on");
  await expect(page.getByText("You were signed out, so this was not done.")).toHaveCount(0);
  await expect(asked(page)).toHaveCount(0);
  await save.click();
  await expect(asked(page)).toBeVisible();
  await asked(page).getByRole("button", { name: "Not now" }).click();
  await notice(page).locator("..").getByRole("button", { name: "Sign in" }).click();
  await signInAgain(page, product);
  await expect(notice(page)).toHaveCount(0);
  await save.click();
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  expect(await template(product, id)).toMatchObject({
    subject: "Second, written on",
    body: "<p>Second, and longer</p>",
  });
});

test("a campaign saves itself again by itself, also when the dialog was put aside", async ({
  dashboard: page,
  product,
}) => {
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Ends",
    subject: "First",
    body: "<p>First</p>",
    incomplete: true,
  });
  const stored = async () =>
    (await callApi<{ subject: string }>(product, "GET", `/v1/campaigns/${body.id}`)).body.subject;
  await page.goto(at(product, `campaigns/${body.id}`));
  const subject = page.getByRole("textbox", { name: "Subject", exact: true });
  await subject.fill("Second");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await endSession(page, product);
  await subject.fill("Third");
  await expect(asked(page)).toBeVisible();
  await signInAgain(page, product);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect.poll(stored).toBe("Third");
  await expect(subject).toBeFocused();

  await endSession(page, product);
  await subject.fill("Fourth");
  await expect(asked(page)).toBeVisible();
  await asked(page).getByRole("button", { name: "Not now" }).click();
  await expect(page.getByText("Not saved", { exact: true })).toBeVisible();
  await subject.fill("Fifth");
  await expect(page.getByText("Not saved", { exact: true })).toBeVisible();
  await expect(asked(page)).toHaveCount(0);
  await comeBack(page, product);
  await expect(notice(page)).toHaveCount(0);
  await expect.poll(stored).toBe("Fifth");
});

test("settings and a dialog that is open go on, the dialog stays open below; axe finds nothing", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(at(product, "settings"));
  const reason = page.getByLabel("Reason for receiving");
  await reason.fill("You bought something.");
  await endSession(page, product);
  await page.getByRole("form", { name: "Project" }).getByRole("button", { name: "Save" }).click();
  await expect(asked(page)).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect.soft(await faults(page), colorScheme).toEqual([]);
  }
  await signInAgain(page, product);
  await expect(page.getByText("Settings saved")).toBeVisible();
  const answer = await page.request.get(
    `${product.url}/api/dashboard/${product.projectId}/v1/project`,
  );
  expect(await answer.json()).toMatchObject({ mailReason: "You bought something." });

  await page.goto(at(product, "contacts"));
  await page.getByRole("button", { name: "Add contact" }).first().click();
  const below = page.getByRole("dialog", { name: /Add|New/ });
  await below.getByLabel("Email").fill("kept@example.com");
  await endSession(page, product);
  await page.keyboard.press("Enter");
  await expect(asked(page)).toBeVisible();
  // Keys and presses are for the upper one alone.
  await page.keyboard.press("Escape");
  await expect(asked(page)).toHaveCount(0);
  await expect(below.getByLabel("Email")).toHaveValue("kept@example.com");
  await expect(below.getByRole("alert")).toContainText("You were signed out");
  await page.setViewportSize({ width: 390, height: 780 });
  await below.getByRole("button", { name: /^Add/ }).click();
  await expect(asked(page)).toBeVisible();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect.soft(await faults(page), `phone, ${colorScheme}`).toEqual([]);
  }
  await signInAgain(page, product);
  await expect(below).toHaveCount(0);
  const { body } = await callApi<{ data: { email: string }[] }>(
    product,
    "GET",
    "/v1/contacts?search=kept",
  );
  expect(body.data.map(({ email }) => email)).toEqual(["kept@example.com"]);
});

test("somebody else who signs in saves nothing into the page, and is shown nothing that was kept", async ({
  dashboard: page,
  product,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id } = await newTemplate(product, "Of the owner");
  const ben = bootstrap(product, "ben+session-ends@example.com");
  await page.goto(at(product, `templates/${id}`));
  const subject = page.getByLabel("Subject");
  await subject.fill("Only the owner's");
  await expect(page.getByText("Draft kept", { exact: true })).toBeVisible();
  // The page asks now and then by itself; between the two sign-ins it would say that nobody is signed in.
  await page.route("**/api/dashboard/**", (route) => route.abort());
  const tab = await page.context().newPage();
  await tab.goto(product.url + "/dashboard");
  await signOut(tab, product.owner);
  await tab.goto(ben.loginUrl);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.waitForURL(/\/dashboard\/prj_/);
  await page.unroute("**/api/dashboard/**");

  await page.getByRole("button", { name: "Save", exact: true }).click();
  const lost = page.getByRole("dialog", { name: "Somebody else is signed in" });
  await expect(lost.getByRole("alert")).toContainText("You are signed in as ben+session-ends");
  expect((await template(product, id)).subject).toBe("First");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect.soft(await faults(page), colorScheme).toEqual([]);
  }
  await lost.getByRole("button", { name: "Copy the unsaved text" }).click();
  await expect(lost.getByText("Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("Only the owner's");

  // The same document's key in the browser, for another reader.
  await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
  const keys = await page.evaluate(() => Object.keys(localStorage));
  expect(keys.filter((key) => key.includes(id))).toEqual([
    expect.stringMatching(/^lettermill\.writing\.usr_\w+\.tpl_/),
  ]);

  await lost.getByRole("button", { name: `Sign in as ${product.owner}` }).click();
  await expect(lost.getByLabel("Password")).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect((await template(product, id)).subject).toBe("Only the owner's");
  await tab.close();
});

test("what a page polls is silent while signed out, and is read again afterwards", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(at(product, "captured"));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await endSession(page, product);
  let refused = 0;
  let answered = 0;
  page.on("response", (response) => {
    if (!response.url().includes("/api/dashboard/")) return;
    if (response.status() === 401) refused += 1;
    else answered += 1;
  });
  await page.clock.install();
  await page.clock.runFor(60_000);
  await expect(asked(page)).toBeVisible();
  await asked(page).getByRole("button", { name: "Not now" }).click();
  const before = refused;
  expect(before).toBeGreaterThan(0);
  await page.clock.runFor(120_000);
  expect(refused).toBe(before);
  await expect(asked(page)).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  answered = 0;
  await comeBack(page, product);
  await expect.poll(() => answered).toBeGreaterThan(1);
});

test("going to another page leads to the sign-in page and back, and what was written is there", async ({
  dashboard: page,
  product,
}) => {
  const { id } = await newTemplate(product, "Left");
  await page.goto(at(product, `templates/${id}`));
  await page.getByLabel("Subject").fill("Written and not saved");
  await endSession(page, product);
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page).toHaveURL(/\/sign-in\?to=/);
  await page.getByLabel("Email").fill(product.owner);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(at(product, `templates/${id}`));
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(page.getByLabel("Subject")).toHaveValue("Written and not saved");
});

test("the second step is asked for on the spot, and a project that is closed by now says so", async ({
  dashboard: page,
  product,
}) => {
  const api = `${product.url}/api/dashboard/${product.projectId}/v1`;
  const own = { headers: { origin: product.url } };
  const { id } = await newTemplate(product, "Two steps");
  await page.goto(at(product, "settings"));
  await page.getByRole("button", { name: "Switch on two-step sign-in" }).click();
  const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  const code = totpCode(secret, Math.floor(Date.now() / 30_000));
  await page.getByRole("dialog").getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("dialog").getByRole("button", { name: "Switch on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const [first = "", second = ""] = await codes.allTextContents();
  await page.getByRole("button", { name: "I have kept them" }).click();

  await page.goto(at(product, `templates/${id}`));
  await page.getByLabel("Subject").fill("By two steps");
  await page.context().clearCookies({ name: /session/ });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(asked(page).getByLabel("Password")).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(asked(page).getByLabel("Code")).toBeFocused();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.type("000000");
  await page.keyboard.press("Enter");
  await expect(asked(page).getByRole("alert")).toContainText("wrong, or has been used");
  await asked(page).getByLabel("Code").fill(first);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  expect((await template(product, id)).subject).toBe("By two steps");
  const off = await page.request.post(`${api}/second-factor/disable`, {
    ...own,
    data: { code: second },
  });
  expect(off.status()).toBe(204);

  await page.getByLabel("Subject").fill("Too late");
  await page.context().clearCookies({ name: /session/ });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(asked(page).getByLabel("Password")).toBeFocused();
  // As the server answers somebody who is no longer a member.
  await page.route(`**/v1/project`, (route) =>
    route.fulfill({ status: 404, json: { error: { code: "NOT_FOUND", message: "No." } } }),
  );
  await returnTo(page);
  const closed = page.getByRole("dialog", { name: "You can no longer open this project" });
  await expect(closed.getByRole("button", { name: "Copy the unsaved text" })).toBeVisible();
  await expect(closed.getByRole("link", { name: "Go to your projects" })).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await closed.getByRole("button", { name: "Not now" }).click();
  await expect(page.getByLabel("Subject")).toHaveValue("Too late");
  await expect(page.getByText("You can no longer open this project. Nothing here")).toBeVisible();
  expect((await template(product, id)).subject).toBe("By two steps");
});
