import { expect, test } from "./fixtures";
import { callApi } from "./product";

test("the pre-flight finds a placeholder that nobody has while one writes, leads there, and asks before sending", async ({
  dashboard: page,
  product,
}) => {
  const contacts = ["Ada", "Grace", ""].map((firstName, index) => ({
    email: `delivered+preflight${index}@sandbox.test`,
    data: { plan: "preflight" },
    ...(firstName ? { firstName } : {}),
  }));
  await callApi(product, "POST", "/v1/contacts/bulk", { contacts });
  const segment = await callApi<{ id: string }>(product, "POST", "/v1/segments", {
    name: "Pre-flight",
    filter: { and: [{ field: "data.plan", op: "eq", value: "preflight" }] },
  });
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Autumn letter",
    subject: "{{ contact.firstName }}, our autumn letter",
    from: "news@sandbox.test",
    segmentId: segment.body.id,
    body: '<p>Hello</p>\n<p><a href="http://127.0.0.1:1/leaves">Leaves</a></p>',
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${body.id}`);
  const report = page.getByTestId("preflight");
  const row = (code: string) => report.locator(`[data-code="${code}"]`);
  await expect(row("placeholder_unknown")).toContainText("Did you mean firstName?");

  // One click leads to the place, with the part that is meant selected.
  await row("link_unreachable")
    .getByRole("button", { name: "Go to line 2 of the content" })
    .click();
  await expect(page.getByRole("textbox", { name: "HTML" })).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe("http://127.0.0.1:1/leaves");
  await row("placeholder_unknown").getByRole("button", { name: "Go to the subject" }).click();
  const subject = page.getByRole("textbox", { name: "Subject", exact: true });
  await expect(subject).toBeFocused();
  expect(
    await subject.evaluate((input: HTMLInputElement) =>
      input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    ),
  ).toBe("{{ contact.firstName }}");

  // Whatever is typed over it is checked again without a click.
  await page.keyboard.type("{{ firstName }}");
  await expect(row("placeholder_missing")).toContainText("is not known for 1 of the 3 people");
  await expect(row("placeholder_unknown")).toHaveCount(0);
  await expect(row("placeholder_missing")).toContainText("{{ firstName | default: 'there' }}");

  // While nothing answers, the last report stays.
  await page.route(/\/preflight$/, (route) => route.abort());
  await subject.fill("Our autumn letter");
  await expect(report.getByText("Not checked")).toBeVisible();
  await expect(row("link_unreachable")).toBeVisible();
  await page.unroute(/\/preflight$/);
  await report.getByRole("button", { name: "Check again" }).click();
  await expect(row("placeholder_missing")).toHaveCount(0);

  // The same is said before it goes out.
  await page.getByRole("button", { name: "Send to 3 people" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.locator('[data-code="link_unreachable"]')).toBeVisible();
  await dialog.getByRole("button", { name: "Send to 3 people" }).click();
  await expect(page.getByTestId("status").first()).toHaveText("Sent", { timeout: 20_000 });
});

test("in an email of the visual editor, a finding leads to its block and not into the HTML", async ({
  dashboard: page,
  product,
}) => {
  const { body } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Winter letter",
    subject: "Our winter letter",
    from: "news@sandbox.test",
    design: {
      type: "doc",
      attrs: { theme: {} },
      content: [
        { type: "paragraph", content: [{ type: "text", text: "Hello" }] },
        {
          type: "button",
          attrs: { href: "http://127.0.0.1:1/gone" },
          content: [{ type: "text", text: "Shop now" }],
        },
      ],
    },
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${body.id}`);
  await page
    .getByTestId("preflight")
    .locator('[data-code="link_unreachable"]')
    .getByRole("button", { name: "Go to the content" })
    .click();
  const canvas = page.getByRole("textbox", { name: "Email", exact: true });
  await expect(canvas).toBeFocused();
  await expect(page.getByRole("tab", { name: "Visual" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByLabel("Link", { exact: true })).toHaveValue("http://127.0.0.1:1/gone");
});
