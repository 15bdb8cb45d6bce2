import { faults } from "./axe";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("the gallery shows each mail once it is scrolled to, searched and sorted", async ({
  dashboard: page,
  product,
}) => {
  const many = Array.from({ length: 18 }, (_, at) => `Shelf ${String(at).padStart(2, "0")}`);
  for (const name of many) {
    await callApi(product, "POST", "/v1/templates", {
      name,
      subject: `About ${name}`,
      body: `<h1>{% if firstName %}Hello {{ firstName }}{% endif %}</h1><p>${name}</p>`,
    });
  }
  const drawn: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/render")) drawn.push(request.url());
  });
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates?search=shelf&sort=name`);
  const gallery = page.getByRole("list", { name: "Templates" });
  await expect(gallery.getByRole("listitem")).toHaveCount(many.length);
  await expect(
    gallery.getByRole("listitem").first().frameLocator("iframe").getByText("Hello Ada"),
  ).toBeVisible();
  // What is far below is not asked for.
  expect(drawn.length).toBeLessThan(many.length);
  expect(await faults(page)).toEqual([]);

  const last = gallery.getByRole("listitem").last();
  await expect(last.locator("iframe")).toHaveCount(0);
  await last.scrollIntoViewIfNeeded();
  await expect(last.frameLocator("iframe").getByText("Shelf 17")).toBeVisible();
  await chooseOption(page.getByRole("combobox", { name: "Order" }), "By name, Z to A");
  await expect(page).toHaveURL(/sort=-name/);
  await expect(gallery.getByRole("link").first()).toHaveText("Shelf 17");

  // All of a card opens the template, and the keyboard does, too.
  await gallery.getByRole("link", { name: "Shelf 16" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Shelf 16", level: 1 })).toBeVisible();
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates?search=nosuch`);
  await expect(page.getByText("No template matches")).toBeVisible();
});

test("the dark preview shows the mail's own dark colours, or inverts the others", async ({
  dashboard: page,
  product,
}) => {
  const body = `<html><head><style>.own { color: #111111 }
    @media (prefers-color-scheme: dark) { .own { color: #00ff00 } }</style></head>
    <body bgcolor="#ffffff"><table><tr><td style="background-color: #ffffff; color: #000000">
    <p class="own">Styled</p><b style="background: #cc0000; color: #ffffff">Pressed</b>
    </td></tr></table></body></html>`;
  const input = { name: "Dark", subject: "Dark", body };
  const { body: made } = await callApi<{ id: string }>(product, "POST", "/v1/templates", input);
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/${made.id}`);
  const frame = page.frameLocator('iframe[title="Preview"]');
  const [cell, own, pressed] = [
    frame.locator("td"),
    frame.getByText("Styled"),
    frame.getByText("Pressed"),
  ];
  await expect(own).toHaveCSS("color", "rgb(17, 17, 17)");
  const group = page.getByRole("group", { name: "In dark mode" });
  await expect(group).toHaveCount(0);

  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(group.getByRole("button", { name: "Own colours" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(own).toHaveCSS("color", "rgb(0, 255, 0)");
  await expect(cell).toHaveCSS("background-color", "rgb(255, 255, 255)");

  await group.getByRole("button", { name: "Inverted" }).press("Enter");
  await expect(page.getByText("Roughly as Gmail and Outlook show it")).toBeVisible();
  await expect(own).toHaveCSS("color", "rgb(223, 223, 223)");
  await expect(cell).toHaveCSS("background-color", "rgb(18, 18, 18)");
  await expect(pressed).toHaveCSS("background-color", "rgb(204, 0, 0)");
  await expect(pressed).toHaveCSS("color", "rgb(255, 255, 255)");
  expect(await faults(page)).toEqual([]);

  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(group).toHaveCount(0);
  await expect(cell).toHaveCSS("background-color", "rgb(255, 255, 255)");
});
