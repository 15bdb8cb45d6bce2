import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "./fixtures";

/** A red pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

test("a picture is uploaded, seen by everybody at its address, found and deleted", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/media`);
  await page.getByLabel("Files to upload").setInputFiles([
    { name: "logo.png", mimeType: "image/png", buffer: png },
    { name: "page.html", mimeType: "text/html", buffer: Buffer.from("<script>1</script>") },
  ]);
  await expect(page.getByText("page.html: This is not PNG, JPEG")).toBeVisible();
  const card = page.getByRole("listitem").filter({ hasText: "logo.png" });
  await expect(card).toHaveCount(1);
  // It is drawn: the page's own policy lets it through.
  await expect
    .poll(() => card.locator("img").evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(1);

  const address = await card.getByRole("link").evaluate((link: HTMLAnchorElement) => link.href);
  const answer = await fetch(address);
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
  expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  const head = await fetch(address, { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe(String(png.length));

  await page.getByLabel("Search by name or folder").fill("nothing like it");
  await expect(page.getByText("No file matches")).toBeVisible();
  await page.getByRole("link", { name: "Show all files" }).click();
  await card.getByRole("button", { name: "Delete logo.png" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete file" }).click();
  await expect(page.getByText("logo.png was deleted")).toBeVisible();
  await expect(card).toHaveCount(0);
  expect((await fetch(address)).status).toBe(404);
});

test("a picture of the library goes into a template's source", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/new`);
  await page.getByRole("button", { name: /^HTML/ }).click();
  await page.getByRole("button", { name: "Insert", exact: true }).click();
  await page.getByRole("menuitem", { name: "Picture…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Files to upload").setInputFiles({
    name: "head.png",
    mimeType: "image/png",
    buffer: Buffer.concat([png, Buffer.from("head")]),
  });
  const picture = dialog.getByRole("button", { name: "head.png" });
  await expect(picture).toHaveAttribute("aria-pressed", "true");
  await dialog.getByLabel("Alternative text").fill('The "shop"');
  await dialog.getByRole("button", { name: "Insert image" }).click();
  await expect(page.getByRole("textbox", { name: "HTML", exact: true })).toContainText(
    /<img src="http:\/\/[^"]+\/files\/prj_\w+\/head\.png" alt="The &quot;shop&quot;" style=/,
  );
});

test("what is inserted before the editor has loaded stands in it once it has", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/new`);
  await page.waitForLoadState("networkidle");
  const load = Promise.withResolvers<void>();
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    await load.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: /^HTML/ }).click();
  const insert = page.getByRole("button", { name: "Insert", exact: true });
  for (const piece of ["Unsubscribe link", "Preferences link"]) {
    await insert.click();
    await page.getByRole("menuitem", { name: piece }).click();
    await expect(page.getByRole("menu")).toHaveCount(0);
  }
  const source = page.getByRole("textbox", { name: "HTML", exact: true });
  await expect(source).toHaveCount(0);
  load.resolve();
  await expect(source).toContainText(
    '<a href="{{ unsubscribeUrl }}">Unsubscribe</a><a href="{{ preferencesUrl }}">Preferences</a>',
  );
});

test("a file comes from the web, and says why when it does not", async ({
  dashboard: page,
  product,
}) => {
  const site = createServer((request, response) => {
    if (request.url === "/moved.png") response.writeHead(302, { location: "/logo.png" }).end();
    else response.end(png);
  });
  await once(site.listen(0, "127.0.0.1"), "listening");
  const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await page.goto(`${product.url}/dashboard/${product.projectId}/media`);
  await page.getByRole("button", { name: "Add from the web" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill(`${base}/moved.png`);
  await dialog.getByRole("button", { name: "Add file" }).click();
  await expect(dialog.getByText("redirects to another address")).toBeVisible();
  await dialog.getByLabel("Address").fill(`${base}/web.png`);
  await dialog.getByLabel("Folder").fill("../up");
  await dialog.getByRole("button", { name: "Add file" }).click();
  await expect(
    dialog.getByText("This must not have a folder that begins with a dot."),
  ).toBeVisible();
  await dialog.getByLabel("Folder").fill("logos");
  await dialog.getByRole("button", { name: "Add file" }).click();
  await expect(page.getByRole("link", { name: "logos/web.png" })).toBeVisible();
  await new Promise((resolve) => site.close(resolve));
});
