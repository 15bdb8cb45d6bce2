import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createList } from "@/lib/domain/lists/lists";
import { pagesPreview, recipientViews } from "@/lib/domain/projects/pages-schema";
import { sampleRecipientPages } from "@/lib/domain/projects/recipient-pages";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { createTopic } from "@/lib/domain/topics/topics";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { brand } from "@/lib/mail/design/brand-schema";
import { makeProject } from "@/lib/testing";
import { htmlFaults } from "@/lib/testing/valid-html";
import { previewRecipientPage } from "./recipient-preview";

const database = useTestDatabase();

async function shown(ctx: Context, body: unknown): Promise<string> {
  const draft = pagesPreview.parse(body);
  const pages = await sampleRecipientPages(ctx, draft);
  return (await previewRecipientPage(ctx.db, pages, draft)).html;
}

test.each(recipientViews)(
  "shows the %s with what is not saved yet, and keeps nothing",
  async (view) => {
    const { ctx } = await makeProject(database.db);
    const before = await getProjectSettings(ctx);
    const html = await shown(ctx, {
      ...{ view, name: "Papierm\u00fchle", postalAddress: "Gasse 1\nBasel", language: "de" },
      brandColor: "#0a5c36",
    });
    expect(html).toContain("Papierm\u00fchle");
    expect(html).toContain("Gasse 1");
    expect(html).toContain('lang="de"');
    if (view !== "mail") {
      expect(html).toContain("--accent: #0a5c36");
      expect(html).not.toContain("<script");
      expect(await htmlFaults(html)).toEqual([]);
    }
    expect(await getProjectSettings(ctx)).toEqual(before);
  },
);

test("the mail that asks to confirm has the brand that is being chosen", async () => {
  const { ctx } = await makeProject(database.db);
  const drafted = brand.parse({ theme: { accent: "#7a1fa2" } });
  expect(await shown(ctx, { view: "mail", brand: drafted })).toContain("#7a1fa2");
  expect(await shown(ctx, { view: "mail", brand: null })).not.toContain("#7a1fa2");
});

test.each(recipientViews.filter((view) => view !== "mail"))(
  "the %s has the logo that is being chosen",
  async (view) => {
    const { ctx, projectId } = await makeProject(database.db, { name: "Papierm\u00fchle" });
    const path = `/files/${encodeId("project", projectId)}/logo.png`;
    const of = (src: string) => brand.parse({ theme: {}, logo: { src } });
    const html = await shown(ctx, { view, brand: of(`http://localhost:3000${path}`) });
    expect(html).toContain(`<img src="${path}" alt="Papierm\u00fchle"/>`);
    expect(await htmlFaults(html)).toEqual([]);
    const foreign = await shown(ctx, { view, brand: of("https://cdn.example.org/logo.png") });
    expect(foreign).not.toContain("<img");
  },
);

test("it is looked at in either theme, whatever that of the reader is", async () => {
  const { ctx } = await makeProject(database.db);
  expect(await shown(ctx, { view: "preferences" })).toContain("prefers-color-scheme");
  const dark = await shown(ctx, { view: "preferences", theme: "dark" });
  expect(dark).toContain(":root { color-scheme: dark;");
});

test("topics are shown as they are being written, and nobody who is real", async () => {
  const { ctx } = await makeProject(database.db);
  const other = await makeProject(database.db);
  await createList(ctx, { name: "Weekly", fromEmail: "news@sandbox.test" });
  await createTopic(other.ctx, { name: "Of somebody else" });
  const stored = await createTopic(ctx, { name: "Offers", description: "Now and then" });
  await createTopic(ctx, { name: "Recipes" });
  const html = await shown(ctx, {
    view: "preferences",
    topics: [{ id: stored.id, name: "Bargains", description: "On Fridays" }, { name: "A new one" }],
  });
  expect(html).not.toContain("Offers");
  expect(html).not.toContain("Of somebody else");
  const at = ["A new one", "Bargains", "On Fridays", "Recipes"].map((name) => html.indexOf(name));
  expect(at).toEqual(at.toSorted((one, two) => one - two));
  expect(at[0]).toBeGreaterThan(0);
  expect(html).toContain("Weekly");
  expect(html).toContain("ada@example.com");
  const counted = await database.db.execute(sql`select count(*)::int as n from contacts`);
  expect(counted[0]).toEqual({ n: 0 });
});

test("what cannot be saved is not shown either", () => {
  const bad = { view: "preferences", brandColor: "red" };
  expect(pagesPreview.safeParse(bad).success).toBe(false);
  expect(pagesPreview.safeParse({ view: "everything" }).success).toBe(false);
  expect(pagesPreview.safeParse({ view: "form", retention: {} }).success).toBe(false);
});
