import type { Page } from "@playwright/test";
import { faults, overflow } from "./axe";
import { press, take } from "./by-keyboard";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

const opener = (page: Page, field: string) =>
  page.getByRole("button", { name: `Personalise ${field}`, exact: true });
const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });

test("a campaign's subjects and preview text are personalised from a menu, by mouse and by keys", async ({
  dashboard: page,
  product,
}) => {
  await callApi(product, "POST", "/v1/contacts", {
    email: "delivered+personal@sandbox.test",
    data: { company: "Acme" },
  });
  const { body: campaign } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Personal news",
    subject: "Hello !",
    from: "news@sandbox.test",
    body: "<p>Hello</p>",
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/campaigns/${campaign.id}`);
  const subject = page.getByRole("textbox", { name: "Subject", exact: true });

  // Where the caret is, and it can be taken back like anything typed.
  const beforeTheLast = async () => {
    await subject.press("End");
    await subject.press("ArrowLeft");
  };
  await beforeTheLast();
  await opener(page, "Subject").click();
  await item(page, "First name").click();
  await expect(subject).toHaveValue("Hello {{ firstName | default: 'there' }}!");
  await expect(subject).toBeFocused();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(subject).toHaveValue("Hello !");

  // The project's own fields, and one goes on where the placeholder ends.
  await beforeTheLast();
  await opener(page, "Subject").click();
  await item(page, "company").click();
  await expect(subject).toBeFocused();
  await page.keyboard.type(", now");
  await expect(subject).toHaveValue("Hello {{ data.company }}, now!");
  await expect(page.getByRole("menu")).toHaveCount(0);

  // What a list's own emails alone can say is not offered here.
  await opener(page, "Subject").click();
  await expect(item(page, "Email address")).toBeVisible();
  await expect(item(page, "List name")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(opener(page, "Subject")).toBeFocused();

  // By keys alone: Tab selects what stands in a field, and nothing of it is lost.
  await page.getByRole("switch", { name: /A\/B test/ }).click();
  const variant = page.getByLabel("Subject B");
  await variant.fill("News for");
  await variant.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(variant).toBeFocused();
  await press(opener(page, "Subject B"), { backwards: true });
  await take(item(page, "Last name"));
  await expect(variant).toHaveValue("News for{{ lastName }}");
  await expect(variant).toBeFocused();
  await press(opener(page, "Preview text"), { backwards: true });
  await take(item(page, "Email address"));
  const previewText = page.getByRole("textbox", { name: /^Preview text/ });
  await expect(previewText).toHaveValue("{{ email }}");
  await expect(previewText).toBeFocused();
  expect(await faults(page)).toEqual([]);

  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const kept = await callApi<{
    subject: string;
    previewText: string;
    abTest: { variants: { subject: string }[] };
  }>(product, "GET", `/v1/campaigns/${campaign.id}`);
  expect(kept.body.subject).toBe("Hello {{ data.company }}, now!");
  expect(kept.body.previewText).toBe("{{ email }}");
  expect(kept.body.abTest.variants[1]?.subject).toBe("News for{{ lastName }}");

  // On a phone, the fields stay as wide as the page.
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect((await subject.boundingBox())?.width).toBeGreaterThan(300);
  await opener(page, "Subject").click();
  await item(page, "Email address").click();
  await expect(subject).toHaveValue("Hello {{ data.company }}, now{{ email }}!");
});

test("a template's subject offers what a list's own emails can say, too", async ({
  dashboard: page,
  product,
}) => {
  const { body: template } = await callApi<{ id: string }>(product, "POST", "/v1/templates", {
    name: "Own mail",
    subject: "Welcome to:",
    body: "<p>Hello</p>",
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/templates/${template.id}`);
  const subject = page.getByRole("textbox", { name: "Subject", exact: true });
  // Nobody was in the field: it goes to its end.
  await opener(page, "Subject").click();
  await item(page, "List name").click();
  await expect(subject).toHaveValue("Welcome to:{{ listName }}");
  await expect(subject).toBeFocused();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved as version 2")).toBeVisible();
});
