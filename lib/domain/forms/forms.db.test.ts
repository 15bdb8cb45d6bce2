import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { deleteList } from "@/lib/domain/lists/lists";
import { addListField } from "@/lib/domain/lists/lists";
import { createTopic } from "@/lib/domain/topics/topics";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { makeList } from "@/lib/testing/opt-outs";
import { countForm, getFormFigures } from "./figures";
import { createForm, deleteForm, getForm, listForms, updateForm } from "./forms";
import { describeDraft, getFormMarkup, snippetIn } from "./preview";
import { findFormRow } from "./rows";
import { formInput, type FormQuery } from "./schema";
import { mostQuestions } from "./terms";

const database = useTestDatabase();

describe("a form", () => {
  test("is made with what is usual, changed by what is given, and audited", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const list = await makeList(ctx);
    const form = await createForm(ctx, { name: "Footer", listId: list.id });
    expect(form).toMatchObject({
      ...{ name: "Footer", open: true, listId: list.id, topicIds: [], questions: [] },
      ...{ doubleOptIn: true, proofOfWork: false, thanksUrl: null },
      figures: { seen: 0, sent: 0, confirmed: 0, refused: 0 },
    });
    expect(form.url).toMatch(/\/f\/frm_\w{26}$/);
    const changed = await updateForm(ctx, form.id, {
      basedOn: form.updatedAt,
      texts: { title: "Our letter" },
    });
    expect(changed).toMatchObject({ name: "Footer", texts: { title: "Our letter" } });
    expect(await getForm(ctx, form.id)).toEqual(changed);
    expect((await listForms(ctx, { limit: 5 })).data).toEqual([changed]);
    await expect(
      updateForm(ctx, form.id, { basedOn: form.updatedAt, name: "Late" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    await deleteForm(ctx, form.id);
    await expect(getForm(ctx, form.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const acts = await database.db
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(and(eq(auditLog.projectId, projectId), eq(auditLog.target, form.id)))
      .orderBy(auditLog.id);
    expect(acts.map(({ action }) => action)).toEqual(["create.form", "update.form", "delete.form"]);
  });

  test("of another project is not there, and its list and topics are not this one's", async () => {
    const { ctx } = await makeProject(database.db);
    const other = await makeProject(database.db);
    const foreign = await createForm(other.ctx, { name: "Theirs" });
    for (const act of [
      () => getForm(ctx, foreign.id),
      () => updateForm(ctx, foreign.id, { name: "Mine" }),
      () => deleteForm(ctx, foreign.id),
      () => getFormFigures(ctx, foreign.id, { days: 7 }),
      () => getFormMarkup(ctx, foreign.id, {}),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    const list = await makeList(other.ctx);
    const topic = await createTopic(other.ctx, { name: "News" });
    await expect(createForm(ctx, { name: "X", listId: list.id })).rejects.toMatchObject({
      details: [{ path: "listId" }],
    });
    await expect(createForm(ctx, { name: "X", topicIds: [topic.id] })).rejects.toMatchObject({
      details: [{ path: "topicIds[0]" }],
    });
    await expect(describeDraft(ctx, { name: "X", listId: list.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("is a viewer's to see and an editor's to change", async () => {
    const { ctx } = await makeProject(database.db);
    const form = await createForm(ctx, { name: "Footer" });
    const viewer = { ...ctx, role: "viewer" as const };
    expect(await getForm(viewer, form.id)).toEqual(form);
    for (const act of [
      () => createForm(viewer, { name: "X" }),
      () => updateForm(viewer, form.id, { name: "X" }),
      () => deleteForm(viewer, form.id),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    }
  });

  test("asks for fields of its own list alone, and keeps the list from being deleted", async () => {
    const { ctx } = await makeProject(database.db);
    const [list, bare] = [await makeList(ctx), await makeList(ctx)];
    await addListField(ctx, list.id, { tag: "CITY", label: "City", type: "text" });
    const question = { key: "list.CITY", label: "City", required: true };
    const form = await createForm(ctx, { name: "F", listId: list.id, questions: [question] });
    for (const listId of [bare.id, null]) {
      await expect(updateForm(ctx, form.id, { listId })).rejects.toMatchObject({
        details: [{ path: "questions[0].key" }],
      });
    }
    await expect(deleteList(ctx, list.id)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining('with the form "F"') as string,
    });
    await deleteForm(ctx, form.id);
    await deleteList(ctx, list.id);
  });

  test("is found by a part of its name, and by the list people join by it", async () => {
    const { ctx } = await makeProject(database.db);
    const list = await makeList(ctx, { name: "Weekly" });
    const footer = await createForm(ctx, { name: "Footer 100%", listId: list.id });
    const fair = await createForm(ctx, { name: "Book fair" });
    expect([footer.listName, fair.listName]).toEqual(["Weekly", null]);
    const idsOf = async (query: Omit<FormQuery, "limit">) =>
      (await listForms(ctx, { limit: 5, ...query })).data.map(({ id }) => id);
    expect(await idsOf({})).toEqual([fair.id, footer.id]);
    expect(await idsOf({ search: "0%" })).toEqual([footer.id]);
    expect(await idsOf({ search: "_" })).toEqual([]);
    expect(await idsOf({ listId: list.id })).toEqual([footer.id]);
    const other = await makeProject(database.db);
    const foreign = await makeList(other.ctx);
    expect(await idsOf({ listId: foreign.id })).toEqual([]);
    await expect(idsOf({ listId: "weekly" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("speaks its own language, if it has one that there are texts in", async () => {
    const { ctx } = await makeProject(database.db);
    const form = await createForm(ctx, { name: "Footer", language: "de-AT" });
    expect(form.language).toBe("de");
    const { html } = await getFormMarkup(ctx, form.id, { language: "fr" });
    expect(html).toContain('lang="de"');
    expect((await updateForm(ctx, form.id, { name: "Foot" })).language).toBe("de");
    expect((await updateForm(ctx, form.id, { language: null })).language).toBeNull();
    await expect(updateForm(ctx, form.id, { language: "tlh" })).rejects.toMatchObject({
      details: [{ path: "language", message: expect.stringContaining("de, en") as string }],
    });
  });

  test.each([
    { name: "" },
    { name: "X", look: { theme: "sepia" } },
    { name: "X", thanksUrl: "javascript:alert(1)" },
    { name: "X", thanksUrl: "https://user:secret@example.com" },
    { name: "X", look: { color: "red" } },
    { name: "X", look: { width: 10_000 } },
    { name: "X", questions: [{ key: "email", label: "E", required: true }] },
    { name: "X", questions: [{ key: "data.__proto__", label: "P", required: true }] },
    { name: "X", questions: [{ key: "data.city", label: "", required: true }] },
    { name: "X", questions: Array(2).fill({ key: "firstName", label: "", required: true }) },
    { name: "X", texts: { mailSubject: "Hello\r\nBcc: all@example.com" } },
    { name: "X", surprise: true },
  ])("%j is refused", (input) => {
    expect(formInput.safeParse(input).success).toBe(false);
  });
});

test("figures are counted by day, a thousand at once to the last one", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const { id } = await createForm(ctx, { name: "Footer" });
  const { id: formId } = await findFormRow(database.db, ctx, id);
  await Promise.all(
    Array.from({ length: 1_000 }, (_, index) =>
      countForm(database.db, { formId, figure: index % 4 === 0 ? "refused" : "seen" }),
    ),
  );
  await countForm(database.db, { formId: newId(projectId), figure: "seen" });
  await database.travel("1 day");
  await countForm(database.db, { formId, figure: "sent" });
  const { data } = await getFormFigures(ctx, id, { days: 3 });
  expect(data.map(({ day: _, ...figures }) => figures)).toEqual([
    { seen: 0, sent: 0, confirmed: 0, refused: 0 },
    { seen: 750, sent: 0, confirmed: 0, refused: 250 },
    { seen: 0, sent: 1, confirmed: 0, refused: 0 },
  ]);
  expect((await getForm(ctx, id)).figures).toEqual({
    ...{ seen: 750, sent: 1, confirmed: 0, refused: 250 },
  });
});

describe("the snippet", () => {
  test("has no script, posts to us, escapes what it is given, and is below 6 kB with twelve questions", async () => {
    const { ctx } = await makeProject(database.db);
    const evil = `"><script>alert(1)</script>`;
    const { id, url } = await createForm(ctx, {
      name: "Footer",
      texts: { title: evil, lead: evil, consent: evil, button: evil },
      questions: Array.from({ length: mostQuestions }, (_, index) => ({
        ...{ key: `data.${evil}${index}`, label: `${evil} ${index}`, required: true },
      })),
    });
    const { html } = await getFormMarkup(ctx, id, { language: "de" });
    expect(html).not.toContain("<script");
    expect(html).toContain(`<form action="${url}" method="post"`);
    expect(html).toContain('lang="de"');
    const plain = await createForm(ctx, {
      name: "Plain",
      texts: { title: "The weekly letter", consent: "You can leave at any time. ".repeat(8) },
      questions: Array.from({ length: mostQuestions }, (_, index) => ({
        ...{ key: `data.question${index}`, label: `Question number ${index}`, required: true },
      })),
    });
    const snippet = await getFormMarkup(ctx, plain.id, {});
    expect(snippet.bytes).toBe(Buffer.byteLength(snippet.html));
    expect(snippet.bytes).toBeLessThan(6_000);
  });

  test("of a form that is being written leaves nothing behind", async () => {
    const { ctx } = await makeProject(database.db);
    const draft = await describeDraft(ctx, {
      ...{ name: "X", texts: { title: "Soon" }, look: { color: "#0a5c36", corner: 9, width: 300 } },
    });
    const html = snippetIn(draft, undefined);
    expect(html).toContain("<h2>Soon</h2>");
    expect(html).toContain("background:#0a5c36;color:#ffffff");
    expect(html).toContain("max-inline-size:300px");
    expect((await listForms(ctx, { limit: 5 })).data).toEqual([]);
  });
});

test("unknown ids are not found", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  for (const id of [
    "",
    "nonsense",
    encodeId("list", newId(projectId)),
    encodeId("form", newId(projectId)),
  ]) {
    await expect(getForm(ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});
