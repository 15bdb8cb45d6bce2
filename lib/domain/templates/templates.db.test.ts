import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { allOf } from "@/lib/testing/all-of";
import { previewInput, templateInput, templateQuery, templateUpdate } from "./schema";
import {
  createTemplate,
  getTemplate,
  listTemplates,
  previewContent,
  previewTemplate,
  updateTemplate,
} from "./templates";
import { listTemplateVersions } from "./versions";

const database = useTestDatabase();
const versionsOf = async (...of: Parameters<typeof listTemplateVersions>) =>
  allOf(await listTemplateVersions(...of));
const content = {
  subject: "Hi {{ firstName }}",
  body: "<p>{{ firstName }} & {{ data.plan }}</p>",
};
const data = { firstName: "<Ada>", plan: "pro" };
const preview = (given: unknown) => previewInput.parse(given);

test("content that is not saved renders as the same content that is, and nothing is written", async () => {
  const { ctx } = await makeProject(database.db, { role: "viewer" });
  const shown = await previewContent(ctx, preview({ ...content, data }));
  expect(shown).toMatchObject({ subject: "Hi <Ada>", html: "<p>&lt;Ada&gt; & pro</p>" });
  expect((await listTemplates(ctx, { page: 1, pageSize: 20 })).total).toBe(0);
  const editor = { ...ctx, role: "editor" as const };
  const { id } = await createTemplate(editor, { name: "Same", ...content });
  expect(await previewTemplate(ctx, id, data)).toEqual(shown);
  expect(await previewContent(ctx, preview({}))).toEqual({ subject: "", html: "", text: "" });
});

test("what does not parse is refused at its field with line and column", async () => {
  const { ctx } = await makeProject(database.db);
  const refusal = async (given: unknown) => {
    try {
      return await previewContent(ctx, preview(given));
    } catch (error) {
      return (error as { details?: { path: string; message: string }[] }).details?.[0];
    }
  };
  expect(await refusal({ body: "<p>\n  {{ a | nosuch }}</p>" })).toMatchObject({
    path: "body",
    message: expect.stringMatching(/line 2, column 3/) as string,
  });
  expect(await refusal({ subject: "Hi {% if %}" })).toMatchObject({ path: "subject" });
});

test("sending keys may not preview", async () => {
  const { ctx } = await makeProject(database.db);
  await expect(previewContent({ ...ctx, sendingOnly: true }, preview(content))).rejects.toThrow(
    "may only send",
  );
});

test("every change keeps the version before, and putting one back makes a new one", async () => {
  const { ctx } = await makeProject(database.db);
  const { id } = await createTemplate(ctx, { name: "Welcome", ...content });
  await updateTemplate(ctx, id, { body: "<p>Second</p>" });
  await updateTemplate(ctx, id, { body: "<p>Second</p>" });
  const [, first] = await versionsOf(ctx, id);
  await updateTemplate(ctx, id, { subject: first?.subject, body: first?.body });
  expect(await getTemplate(ctx, id)).toMatchObject({ version: 3, ...content });
  expect((await versionsOf(ctx, id)).map(({ version }) => version)).toEqual([3, 2, 1]);
});

const designOf = (words: string) => ({
  type: "doc",
  attrs: { theme: {} },
  content: [{ type: "paragraph", content: [{ type: "text", text: words }] }],
});

test("a design is kept with the HTML made from it, in every version, and another HTML ends it", async () => {
  const { ctx } = await makeProject(database.db);
  const input = (body: unknown) => templateInput.parse(body);
  const first = await createTemplate(
    ctx,
    input({ name: "Drawn", subject: "Hi", body: "<p>ignored</p>", design: designOf("One") }),
  );
  expect(first.body).toMatch(/One<\/td>/);
  expect(first.body).not.toContain("ignored");
  const kept = await getTemplate(ctx, first.id);
  // Its keys in their order: who compares what was read with what is written finds no difference.
  expect(JSON.stringify(kept.design)).toBe(JSON.stringify(first.design));
  expect((await updateTemplate(ctx, first.id, { design: first.design })).version).toBe(1);
  expect(
    (await updateTemplate(ctx, first.id, { name: "Renamed", body: first.body })).design,
  ).toEqual(first.design);
  const second = await updateTemplate(ctx, first.id, { design: designOf("Two {{ firstName }}") });
  expect(second.body).toContain("Two {{ firstName }}");
  const byHand = await updateTemplate(ctx, first.id, { body: "<p>By hand</p>" });
  expect(byHand).toMatchObject({ body: "<p>By hand</p>", design: null });
  const versions = await versionsOf(ctx, first.id);
  expect(versions.map(({ design }) => design === null)).toEqual([true, false, false, false]);
  const restored = await updateTemplate(ctx, first.id, { design: versions[1]?.design });
  expect(restored.body).toBe(second.body);
});

test("a design that is none is refused with its place, and so is its Liquid", async () => {
  const { ctx } = await makeProject(database.db);
  const wrong = templateUpdate.safeParse({
    design: { ...designOf("x"), content: [{ type: "spacer", attrs: { height: 9000 } }] },
  });
  expect(wrong.error?.issues[0]).toMatchObject({
    path: ["design", "content", 0, "attrs", "height"],
    message: "is above 200",
  });
  const { id } = await createTemplate(ctx, { name: "Same", ...content });
  await expect(updateTemplate(ctx, id, { design: designOf("{{ a | nosuch }}") })).rejects.toThrow(
    /undefined filter/,
  );
});

test("a design is held to the size of a body: what it makes is at most 5 MB", async () => {
  const { ctx } = await makeProject(database.db);
  const designOfBlocks = (blocks: number) => ({
    ...designOf("x"),
    content: Array.from({ length: blocks }, () => ({
      type: "html",
      attrs: { html: `<p>${"x".repeat(499_000)}</p>` },
    })),
  });
  const fits = templateInput.parse({ name: "Large", ...content, design: designOfBlocks(10) });
  const { id } = await createTemplate(ctx, fits);
  const { design } = templateUpdate.parse({ design: designOfBlocks(11) });
  const refused = {
    code: "VALIDATION_ERROR",
    details: [{ path: "design", message: "makes a body that is larger than 5 MB" }],
  };
  const name = ({ name }: { name: string }) => name;
  await expect(createTemplate(ctx, { ...fits, design }).then(name)).rejects.toMatchObject(refused);
  await expect(updateTemplate(ctx, id, { design }).then(name)).rejects.toMatchObject(refused);
  expect((await getTemplate(ctx, id)).version).toBe(1);
});

test("templates are sorted by name or by their last change, both ways", async () => {
  const { ctx } = await makeProject(database.db);
  const ids = [];
  for (const name of ["winter", "Autumn", "spring"]) {
    ids.push((await createTemplate(ctx, { name, ...content })).id);
  }
  await updateTemplate(ctx, ids[0] ?? "", { subject: "Changed last" });
  const sorted = async (query: object) => {
    const { data } = await listTemplates(ctx, templateQuery.parse(query));
    return data.map(({ name }) => name);
  };
  expect(await sorted({})).toEqual(["spring", "Autumn", "winter"]);
  expect(await sorted({ sort: "name" })).toEqual(["Autumn", "spring", "winter"]);
  expect(await sorted({ sort: "-name" })).toEqual(["winter", "spring", "Autumn"]);
  expect(await sorted({ sort: "updatedAt" })).toEqual(["Autumn", "spring", "winter"]);
  expect(await sorted({ sort: "-updatedAt" })).toEqual(["winter", "spring", "Autumn"]);
  expect(await sorted({ sort: "name", pageSize: 2, page: 2 })).toEqual(["winter"]);
});
