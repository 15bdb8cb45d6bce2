import type { Page } from "@playwright/test";
import { faults } from "./axe";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

interface Template {
  id: string;
  version: number;
  subject: string;
  body: string;
  design: { content: { type: string; attrs?: Record<string, unknown> }[] } | null;
}

const canvasOf = (page: Page) => page.getByRole("textbox", { name: "Email", exact: true });

test("an email is made on the canvas, kept, changed as HTML and taken back as blocks", async ({
  dashboard: page,
  product,
}) => {
  const read = async (id: string) =>
    (await callApi<Template>(product, "GET", `/v1/templates/${id}`)).body;
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/new`);
  await expect(page.getByRole("button", { name: /^Receipt/ })).toBeVisible();
  await page.getByRole("button", { name: /^Welcome/ }).click();
  const canvas = canvasOf(page);
  await expect(canvas.getByRole("heading", { name: "Good to have you here" })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Welcome");

  // Written, marked and undone with the keyboard.
  await canvas.getByText("Three things that are worth doing first:").click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Hello {{ data.plan | default: 'guest' }}, this is ");
  await page.keyboard.press("Control+b");
  await page.keyboard.type("bold");
  await expect(canvas.locator(".mail-placeholder", { hasText: "plan or guest" })).toBeVisible();
  await expect(canvas.locator("strong", { hasText: /^bold$/ })).toBeVisible();

  // Blocks come from the menu, and move.
  await page.getByRole("button", { name: "Button", exact: true }).click();
  await page.keyboard.type("Press here");
  await page.getByLabel("Link", { exact: true }).fill("example.com/here");
  await page.getByRole("button", { name: "Move up (Alt ↑)" }).click();
  await page.getByRole("button", { name: "Undo (Ctrl Z)" }).click();
  await page.getByRole("button", { name: "Redo (Ctrl Y)" }).click();

  await page.getByRole("button", { name: "Create template" }).click();
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  const id = page.url().split("/").at(-1) ?? "";
  const first = await read(id);
  expect(first.subject).toBe("Welcome, {{ firstName | default: 'friend' }}");
  expect(first.body).toContain(
    "Hello {{ data.plan | default: 'guest' }}, this is <strong>bold</strong>",
  );
  expect(first.body).toContain('href="https://example.com/here"');
  expect(first.design?.content.map(({ type }) => type)).toContain("button");

  // The same after a reload, and nothing is unsaved.
  await page.reload();
  await expect(canvas.getByText("Press here")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  expect(await faults(page)).toEqual([]);

  // Handwritten HTML leaves the visual version, which can be restored, or made again from the HTML.
  await page.getByRole("tab", { name: "HTML" }).click();
  const source = page.getByRole("textbox", { name: "HTML", exact: true });
  await source.press("Control+End");
  await page.keyboard.type("<p>more</p>");
  await page.getByRole("button", { name: "Back to the visual version" }).click();
  await expect(canvas.getByText("Press here")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await page.getByRole("tab", { name: "HTML" }).click();
  await source.press("Control+End");
  await page.keyboard.type("<!-- by hand -->");
  await page.getByRole("tab", { name: "Visual" }).click();
  await page.getByRole("button", { name: "Edit it visually" }).click();
  await expect(canvas.getByText("Press here")).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/Saved as version/)).toBeVisible();
  const taken = await read(id);
  expect(taken.design?.content.map(({ type }) => type)).toEqual(
    first.design?.content.map(({ type }) => type),
  );
  expect(taken.body).toBe(first.body);
});

test("HTML of others is taken over as texts, images, buttons and columns", async ({
  dashboard: page,
  product,
}) => {
  const body = `<html><head><style>p{color:red}</style></head><body bgcolor="#eeeeee"><div style="display:none">hidden</div>
    <table width="600"><tr><td><h1 align="center">Title</h1><p>Hello {{ firstName }}, <a href="https://example.com/a">read</a></p></td></tr>
    <tr><td><img src="https://example.com/a.png" alt="A" width="300"></td></tr>
    <tr><td><a href="https://example.com/b" style="display:inline-block;padding:10px;background-color:#112233;color:#ffffff">Buy</a></td></tr>
    <tr><td>Left</td><td>Right</td></tr></table></body></html>`;
  const created = await callApi<Template>(product, "POST", "/v1/templates", {
    name: "Old",
    subject: "Old",
    body,
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/${created.body.id}`);
  await page.getByRole("tab", { name: "Visual" }).click();
  await page.getByRole("button", { name: "Edit it visually" }).click();
  await expect(canvasOf(page).getByText("Left")).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  const kept = await callApi<Template>(product, "GET", `/v1/templates/${created.body.id}`);
  expect(kept.body.design?.content).toMatchObject([
    { type: "heading", attrs: { level: 1, align: "center" } },
    { type: "paragraph" },
    { type: "image", attrs: { src: "https://example.com/a.png", alt: "A", width: 300 } },
    { type: "button", attrs: { href: "https://example.com/b", background: "#112233" } },
    { type: "columns" },
  ]);
  expect(kept.body.body).not.toContain("hidden");
});

test("MJML from a file becomes blocks, and what is left out is told", async ({
  dashboard: page,
  product,
}) => {
  const mjml = `<mjml><mj-head><mj-style>.a { color: red }</mj-style>
      <mj-attributes><mj-text color="#222222" /></mj-attributes></mj-head>
    <mj-body background-color="#eeeeee" width="640px">
      <mj-section background-color="#ffffff"><mj-column>
        <mj-text font-size="30px" align="center">Hello {{ firstName | default: 'you' }}</mj-text>
        <mj-text align="right"><p>One &amp; <a href="https://example.com/a">two</a></p></mj-text>
        <mj-button href="https://example.com/b" background-color="#112233">Buy</mj-button>
      </mj-column></mj-section>
      <mj-section background-color="#ffffff">
        <mj-column width="33%"><mj-image src="https://example.com/a.png" alt="A" width="120px" /></mj-column>
        <mj-column width="67%"><mj-text>Right</mj-text></mj-column>
      </mj-section>
      <mj-section background-color="#101010"><mj-column><mj-text color="#fafafa">Dark</mj-text></mj-column></mj-section>
    </mj-body></mjml>`;
  // Somebody on a slow line chooses it before the page's scripts run.
  const chosen = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js*", async (route) => {
    await chosen.promise;
    await route.continue();
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/new`, {
    waitUntil: "commit",
  });
  await page.getByLabel(/^A file/).setInputFiles({
    name: "mail.mjml",
    mimeType: "text/plain",
    buffer: Buffer.from(mjml),
  });
  chosen.resolve();
  await expect(canvasOf(page).getByText("Right", { exact: true })).toBeVisible();
  await expect(page.getByText("Taken over from MJML")).toBeVisible();
  await expect(page.getByText("styles of the head")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("From MJML");
  await page.getByRole("button", { name: "Create template" }).click();
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  const id = page.url().split("/").at(-1) ?? "";
  const kept = await callApi<Template>(product, "GET", `/v1/templates/${id}`);
  const text = (words: string) => ({ type: "text", text: words });
  expect(kept.body.design).toMatchObject({
    attrs: { theme: { background: "#eeeeee", accent: "#112233", text: "#222222", width: 640 } },
    content: [
      {
        type: "heading",
        attrs: { level: 1, align: "center" },
        content: [text("Hello "), { type: "placeholder", attrs: { fallback: "you" } }],
      },
      {
        type: "paragraph",
        attrs: { align: "right" },
        content: [text("One & "), { ...text("two"), marks: [{ type: "link" }] }],
      },
      { type: "button", attrs: { href: "https://example.com/b", align: "center" } },
      {
        type: "columns",
        content: [
          { attrs: { share: 1 }, content: [{ type: "image", attrs: { alt: "A", width: 120 } }] },
          { attrs: { share: 2 }, content: [{ type: "paragraph" }] },
        ],
      },
      { type: "section", attrs: { background: "#101010", color: "#fafafa" } },
    ],
  });
  expect(kept.body.body).not.toContain("mj-");
});

test("a part of an image becomes an image of its own", async ({ dashboard: page, product }) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/media`);
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [300, 100];
    const context = canvas.getContext("2d");
    if (context) context.fillStyle = "#c4351a";
    context?.fillRect(100, 0, 100, 100);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  await page.getByLabel("Files to upload").setInputFiles({
    name: "banner.png",
    mimeType: "image/png",
    buffer: Buffer.from(base64, "base64"),
  });
  const card = page.getByRole("listitem").filter({ hasText: "banner.png" });
  const src = await card.getByRole("link").evaluate((link: HTMLAnchorElement) => link.href);
  const created = await callApi<Template>(product, "POST", "/v1/templates", {
    name: "Banner",
    subject: "Banner",
    body: "-",
    design: {
      type: "doc",
      attrs: { theme: {} },
      content: [{ type: "image", attrs: { src, alt: "Banner" } }],
    },
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/${created.body.id}`);
  await canvasOf(page).locator(".mail-image img").click();
  await page.getByRole("button", { name: "Crop…" }).click();
  const dialog = page.getByRole("dialog", { name: "Crop the image" });
  await expect(dialog.getByAltText("The whole image")).toBeVisible();

  // What is cancelled while it is on its way changes nothing.
  const upload = /\/v1\/files\?filename=/;
  const cancelled = Promise.withResolvers<void>();
  await page.route(upload, async (route) => {
    await cancelled.promise;
    await route.continue();
  });
  const sent = page.waitForRequest(upload);
  await dialog.getByRole("button", { name: "Crop", exact: true }).click();
  await sent;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  const answered = page.waitForResponse(upload);
  cancelled.resolve();
  await answered;
  await page.unroute(upload);
  await page.getByRole("button", { name: "Crop…" }).click();
  await expect(dialog.getByAltText("The whole image")).toHaveAttribute("src", src);
  await dialog.getByRole("button", { name: "Square" }).click();
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Crop", exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved as version 2")).toBeVisible();

  const kept = await callApi<Template>(product, "GET", `/v1/templates/${created.body.id}`);
  const [image] = kept.body.design?.content ?? [];
  expect(image?.attrs).toMatchObject({ alt: "Banner" });
  expect(image?.attrs?.["src"]).not.toBe(src);
  const part = Buffer.from(await (await fetch(String(image?.attrs?.["src"]))).arrayBuffer());
  // Width and height stand in the header of a PNG.
  expect([part.readUInt32BE(16), part.readUInt32BE(20)]).toEqual([100, 100]);
});
