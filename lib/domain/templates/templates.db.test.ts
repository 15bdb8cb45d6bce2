import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { previewInput } from "./schema";
import {
  createTemplate,
  getTemplate,
  listTemplates,
  listTemplateVersions,
  previewContent,
  previewTemplate,
  updateTemplate,
} from "./templates";

const database = useTestDatabase();
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
  const [, first] = await listTemplateVersions(ctx, id);
  await updateTemplate(ctx, id, { subject: first?.subject, body: first?.body });
  expect(await getTemplate(ctx, id)).toMatchObject({ version: 3, ...content });
  expect((await listTemplateVersions(ctx, id)).map(({ version }) => version)).toEqual([3, 2, 1]);
});
