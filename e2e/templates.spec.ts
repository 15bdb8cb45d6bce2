import type { Page } from "@playwright/test";
import { faults } from "./axe";
import { expect, signIn, test } from "./fixtures";
import { mailTo } from "./mailbox";
import { callApi } from "./product";

test("a template is written beside its preview, faults have a place, a version is put back", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates`);
  await page.getByRole("link", { name: "Create template" }).click();
  await page.getByRole("button", { name: /^HTML/ }).click();
  const frame = page.frameLocator('iframe[title="Preview"]');
  await expect(frame.getByText("Good to have you here, Ada.")).toBeVisible();

  await page.getByLabel("Name", { exact: true }).fill("Receipt");
  await page.getByLabel("Subject", { exact: true }).fill("Order {{ order }}");
  const source = page.getByRole("textbox", { name: "HTML", exact: true });
  const lines = source.locator(".cm-line");
  await source.fill("<h1>Thanks</h1>\n<p>{{ order | nosuch }}</p>");
  await expect(page.getByText(/undefined filter: nosuch, line 2, column 4/).first()).toBeVisible();
  await expect(frame.getByText("Good to have you here, Ada.")).toBeVisible();
  await page.getByRole("button", { name: "Create template" }).click();
  await expect(page.getByRole("button", { name: "Go to line 2" })).toBeVisible();
  await expect(page).toHaveURL(/\/templates\/new$/);

  await source.fill("<h1>Thanks</h1>\n<p>Order {{ order }}</p>");
  // The source has taken it, and with it the cursor: a hand is slower, too.
  await expect(frame.getByText("Order", { exact: true })).toBeVisible();
  await page.getByLabel("Sample data").fill('{"order": "4711 <now>"}');
  await expect(frame.getByText("Order 4711 <now>")).toBeVisible();
  await expect(page.getByTestId("preview-subject")).toHaveText("Order 4711 <now>");
  await source.press("Control+Enter");
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  const id = page.url().split("/").at(-1) ?? "";

  await source.fill("<p>Second</p>");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  await page.getByRole("button", { name: "Versions" }).click();
  await page.getByRole("button", { name: "Compare version 1" }).click();
  const comparison = page.getByRole("region", { name: "Comparison" });
  await expect(comparison.locator("del")).toContainText(["<h1>Thanks</h1>"]);
  await expect(comparison.locator("ins")).toContainText(["<p>Second</p>"]);
  await expect(
    comparison.frameLocator('iframe[title="Version 2"]').getByText("Second"),
  ).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "All versions" }).click();
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await expect(page.getByText("Saved as version 3")).toBeVisible();
  await expect(lines).toHaveText(["<h1>Thanks</h1>", "<p>Order {{ order }}</p>"]);
  const kept = await callApi<{ version: number; body: string }>(
    product,
    "GET",
    `/v1/templates/${id}`,
  );
  expect(kept.body).toMatchObject({
    version: 3,
    body: "<h1>Thanks</h1>\n<p>Order {{ order }}</p>",
  });

  await source.fill("<p>Not saved</p>");
  page.once("dialog", (dialog) => void dialog.dismiss());
  await page.getByRole("link", { name: "Templates" }).first().click();
  await expect(lines).toHaveText(["<p>Not saved</p>"]);
  await source.fill("<h1>Thanks</h1>\n<p>Order {{ order }}</p>");

  await page.getByRole("button", { name: "Delete template" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete template" }).click();
  await expect(page).toHaveURL(/\/templates$/);
  expect((await callApi(product, "GET", `/v1/templates/${id}`)).status).toBe(404);
  // It comes back as it was, with its versions.
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  expect((await callApi(product, "GET", `/v1/templates/${id}`)).body).toMatchObject({
    id,
    version: 3,
    body: "<h1>Thanks</h1>\n<p>Order {{ order }}</p>",
  });
});

test("a test of what is written goes out, saved or not, as a contact would get it", async ({
  dashboard: page,
  product,
}) => {
  const contact = { email: "ada+template@example.com", firstName: "Ada & Co" };
  await callApi(product, "POST", "/v1/contacts", contact);
  const written = { name: "Tried", subject: "For {{ firstName }}", body: "<p>Saved</p>" };
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/templates", written);
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/${body.id}`);
  await page
    .getByRole("textbox", { name: "HTML", exact: true })
    .fill("<p>Not saved, {{ firstName }}</p>");
  await page.getByLabel("As this contact sees it").fill("ada+template");
  await page.getByRole("option", { name: contact.email }).click();
  await expect(page.getByTestId("preview-subject")).toHaveText("For Ada & Co");

  await page.getByRole("button", { name: "Send a test" }).click();
  const dialog = page.getByRole("dialog", { name: "Send a test" });
  await expect(dialog.getByLabel("To", { exact: true })).toHaveValue(product.owner);
  await expect(dialog.getByLabel("As this contact sees it")).toHaveValue(contact.email);
  await expect(dialog.getByLabel("Sender address")).toHaveValue("hello@sandbox.test");
  expect(await faults(page)).toEqual([]);

  // What is wrong is said at its field.
  const to = "delivered+template-test@sandbox.test";
  await dialog.getByLabel("To", { exact: true }).fill(to);
  await dialog.getByLabel("Sender address").fill("hello@unverified.example");
  await dialog.getByRole("button", { name: "Send test" }).click();
  await expect(dialog.getByText(/unverified\.example is not verified/)).toBeVisible();
  await expect(dialog.getByLabel("Sender address")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Sender address").fill("hello@sandbox.test");
  await dialog.getByLabel("As this contact sees it").fill("nobody");
  await dialog.getByRole("button", { name: "Send test" }).click();
  await expect(dialog.getByText("Choose a contact from the list")).toBeVisible();
  await dialog.getByLabel("As this contact sees it").fill("ada+template");
  await page.getByRole("option", { name: contact.email }).click();
  await dialog.getByRole("button", { name: "Send test" }).click();

  await expect(page.getByText("The test email is on its way")).toBeVisible();
  const mail = await mailTo(page.request, product, to, "[Test] For Ada & Co");
  expect(mail.html).toContain("Not saved, Ada &amp; Co");
  const contacts = await callApi<{ data: unknown[] }>(
    product,
    "GET",
    `/v1/contacts?search=${encodeURIComponent(to)}`,
  );
  expect(contacts.body.data).toEqual([]);
  const kept = await callApi<{ body: string }>(product, "GET", `/v1/templates/${body.id}`);
  expect(kept.body.body).toBe("<p>Saved</p>");
});

test("two tabs with one template are told of each other", async ({ dashboard: page, product }) => {
  const input = { name: "Shared", subject: "Shared", body: "<p>Shared</p>" };
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/templates", input);
  const alone = await callApi<{ id: string }>(product, "POST", "/v1/templates", {
    ...input,
    name: "Alone",
  });
  const path = `${product.url}/dashboard/${product.projectId}/templates/${body.id}`;
  await page.goto(path);
  await expect(page.getByRole("heading", { name: "Shared" })).toBeVisible();
  // Like a duplicated tab, it begins with a copy of the first one's storage.
  const [second] = await Promise.all([
    page.context().waitForEvent("page"),
    page.evaluate((address) => void window.open(address), path),
  ]);
  const told = (at: Page) => at.getByText("You have it open in another tab.");
  await expect(told(second)).toBeVisible();
  await expect(told(page)).toBeVisible({ timeout: 30_000 });
  await second.close();

  // One who reloads, or comes again by the address or by going back, is not somebody else.
  const answered = () => page.waitForResponse((response) => response.url().endsWith("/presence"));
  const opened = path.replace(body.id, alone.body.id);
  await Promise.all([answered(), page.goto(opened)]);
  for (const open of [() => page.reload(), () => page.goto(opened)]) {
    const [answer] = await Promise.all([answered(), open()]);
    expect(await answer.json()).toEqual({ others: [] });
  }
  await page.goto(`${product.url}/docs`);
  const [back] = await Promise.all([answered(), page.goBack()]);
  expect(await back.json()).toEqual({ others: [] });
  await page.getByRole("link", { name: "Templates" }).first().click();
  await expect(page.getByRole("heading", { name: "Templates", level: 1 })).toBeVisible();
  const [again] = await Promise.all([
    answered(),
    page.getByRole("link", { name: "Alone" }).click(),
  ]);
  expect(await again.json()).toEqual({ others: [] });
});

test("what is not saved is kept as a draft, is offered on another machine, and sent by nobody", async ({
  dashboard: page,
  product,
  browser,
}) => {
  const input = { name: "Drafted", subject: "In use", body: "<p>In use</p>" };
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/templates", input);
  const stored = async () =>
    (await callApi<{ subject: string }>(product, "GET", `/v1/templates/${body.id}`)).body.subject;
  const url = `${product.url}/dashboard/${product.projectId}/templates/${body.id}`;
  const subjectIn = (at: Page) => at.getByRole("textbox", { name: "Subject", exact: true });
  const offered = (at: Page) => at.getByText("You have unsaved text here");
  const forgets = (at: Page) =>
    at.waitForResponse(
      (response) => response.request().method() === "DELETE" && response.url().includes("/draft"),
    );
  await page.goto(url);
  await subjectIn(page).fill("Half a sent");
  await expect(page.getByText("Draft kept", { exact: true })).toBeVisible();
  expect(await stored()).toBe("In use");

  const machine = await browser.newContext();
  const second = await machine.newPage();
  await signIn(second, product);
  // Once its scripts run, it says that it is open.
  await Promise.all([
    second.waitForResponse((response) => response.url().endsWith("/presence")),
    second.goto(url),
  ]);
  await expect(offered(second)).toBeVisible();
  await expect(second.getByText("It was kept as your draft.")).toBeVisible();
  expect(await faults(second)).toEqual([]);
  await second.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(subjectIn(second)).toHaveValue("Half a sent");
  await subjectIn(second).fill("A whole sentence");
  const ended = forgets(second);
  await second.getByRole("button", { name: "Save", exact: true }).click();
  await expect(second.getByText("Saved as version 2")).toBeVisible();
  expect(await stored()).toBe("A whole sentence");
  expect((await ended).status()).toBe(204);
  await machine.close();

  // The first machine goes on, and is shown both texts when it saves.
  await subjectIn(page).fill("Half a sentence");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const conflict = page.getByRole("region", { name: "Conflicting changes" });
  await expect(conflict).toContainText("A whole sentence");
  await conflict.getByRole("button", { name: "Take theirs" }).click();
  await expect(subjectIn(page)).toHaveValue("A whole sentence");

  // Discarded text is offered nowhere again.
  // Not by the words of the page: they may still be about what was written before.
  const kept = page.waitForResponse(
    (response) =>
      response.request().method() === "PUT" &&
      Boolean(response.request().postData()?.includes("Thrown away")),
  );
  await page.getByLabel("Name", { exact: true }).fill("Thrown away");
  await kept;
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(offered(page)).toBeVisible();
  const forgotten = forgets(page);
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  expect((await forgotten).status()).toBe(204);
  await page.reload();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Drafted");
  await expect(offered(page)).toHaveCount(0);
});

test("line numbers stand beside their lines from the start", async ({
  dashboard: page,
  product,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/new`);
  await page.getByRole("button", { name: /^HTML/ }).click();
  const source = page.getByRole("textbox", { name: "HTML", exact: true });
  const number = page.locator(".cm-lineNumbers").getByText("10", { exact: true });
  const offset = async () => {
    const [line, beside] = [
      await source.locator(".cm-line").nth(9).boundingBox(),
      await number.boundingBox(),
    ];
    return Math.abs((line?.y ?? NaN) - (beside?.y ?? NaN));
  };
  await expect.poll(offset).toBeLessThan(2);
  // On the page of one that is saved, the editor is there before the page has its styles.
  await page.getByLabel("Name", { exact: true }).fill("Numbered");
  await page.getByRole("button", { name: "Create template" }).click();
  await page.waitForURL(/\/templates\/tpl_/);
  await page.reload();
  await expect.poll(offset).toBeLessThan(2);
});
