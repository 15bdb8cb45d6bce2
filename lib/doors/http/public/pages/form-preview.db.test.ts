import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { describeDraft } from "@/lib/domain/forms/preview";
import { listForms } from "@/lib/domain/forms/forms";
import type { PreviewQuery } from "@/lib/domain/forms/schema";
import { makeProject } from "@/lib/testing";
import { htmlFaults } from "@/lib/testing/valid-html";
import { previewOf } from "./form-preview";

const database = useTestDatabase();

const draft = {
  name: "Footer",
  questions: [{ key: "firstName", label: "", required: false }],
  texts: { title: "The weekly letter", mailText: "Press <here>, please." },
};

test.each<[PreviewQuery["view"], string]>([
  ["snippet", "Vorname"],
  ["page", "Vorname"],
  ["sent", "Eine E-Mail ist zu Ihnen unterwegs"],
  ["mail", "Press &lt;here&gt;, please."],
])("shows what is being written as its %s, and keeps nothing", async (view, words) => {
  const { ctx } = await makeProject(database.db);
  const form = await describeDraft(ctx, draft);
  const { html, bytes } = await previewOf(database.db, form, { view, language: "de" });
  expect(html).toContain(words);
  expect(html).toContain('lang="de"');
  expect(bytes).toBe(Buffer.byteLength(html));
  if (view === "page" || view === "sent") expect(await htmlFaults(html)).toEqual([]);
  expect((await listForms(ctx, { limit: 5 })).data).toEqual([]);
});

test("a page that follows the visitor's system can be looked at in either", async () => {
  const { ctx } = await makeProject(database.db);
  const follows = await describeDraft(ctx, draft);
  const page = async (form: typeof follows, query: Partial<PreviewQuery>) =>
    (await previewOf(database.db, form, { view: "page", ...query })).html;
  expect(await page(follows, {})).toContain("prefers-color-scheme");
  expect(await page(follows, { theme: "dark" })).toContain(":root { color-scheme: dark;");
  const light = await describeDraft(ctx, { ...draft, look: { theme: "light" } });
  expect(await page(light, { theme: "dark" })).toContain(":root { color-scheme: light;");
});
