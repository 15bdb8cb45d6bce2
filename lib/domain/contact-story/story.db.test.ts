import { describe, expect, test } from "vitest";
import { contactNotes } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { updateContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { exportContact } from "@/lib/domain/person-data/export";
import { createSegment } from "@/lib/domain/segments/segments";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { join, makeList } from "@/lib/testing/opt-outs";
import { readZip } from "@/lib/testing/zip";
import { getMemberships } from "./memberships";
import { addNote, deleteNote, listNotes, updateNote } from "./notes";
import { timelineQuery } from "./schema";
import { listTimeline } from "./timeline";
import { undoChange } from "./undo";

const database = useTestDatabase();

async function somebody(more: object = {}) {
  const project = await makeProject(database.db);
  const email = "ada@example.com";
  const { contact } = await upsertContact(project.ctx, { email, ...more });
  return { ...project, id: contact.id };
}

const newest = async ({ ctx }: TestProject, id: string) => {
  const { data } = await listTimeline(ctx, id, timelineQuery.parse({ kinds: "changes,lists" }));
  const change = data.find((entry) => entry.change)?.change;
  if (!change) throw new Error("Nothing has changed.");
  return change;
};

describe("undoing a change", () => {
  test("gives fields, tags and attributes what they were, and is a change that says so", async () => {
    const made = await somebody({ tags: ["a", "b"], data: { plan: "free", gone: { deep: [1] } } });
    const { ctx, id } = made;
    await updateContact(ctx, id, {
      ...{ firstName: "Ada", tags: ["b", "c"] },
      data: { plan: "pro", gone: null, fresh: true },
    });
    const change = await newest(made, id);
    expect(change).toMatchObject({ undoable: true, undone: false });
    // Another tag since then is nobody's concern.
    await upsertContact(ctx, { email: "ada@example.com", tags: ["b", "c", "later"] });
    const undone = await undoChange(ctx, id, change.id);
    expect(undone).toMatchObject({ firstName: "", data: { plan: "free", gone: { deep: [1] } } });
    expect([...undone.tags].sort()).toEqual(["a", "b", "later"]);
    expect(undone.data).not.toHaveProperty("fresh");
    expect(await newest(made, id)).toMatchObject({ undoes: change.id, by: { type: "user" } });
    await expect(undoChange(ctx, id, change.id)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("is refused once what it changed has changed, and leaves consent alone", async () => {
    const made = await somebody({ data: { plan: "free" } });
    const { ctx, id } = made;
    await updateContact(ctx, id, { data: { plan: "pro" }, subscribed: false });
    const change = await newest(made, id);
    await updateContact(ctx, id, { data: { plan: "team" } });
    await expect(undoChange(ctx, id, change.id)).rejects.toMatchObject({ code: "CONFLICT" });
    await updateContact(ctx, id, { data: { plan: "pro" } });
    const undone = await undoChange(ctx, id, change.id);
    expect(undone).toMatchObject({ data: { plan: "free" }, subscribed: false });
  });

  test("is for editors, of their own project's contacts", async () => {
    const made = await somebody();
    await updateContact(made.ctx, made.id, { firstName: "Ada" });
    const { id: changeId } = await newest(made, made.id);
    const stranger = await somebody();
    for (const id of [made.id, stranger.id]) {
      await expect(undoChange(stranger.ctx, id, changeId)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    }
    const viewer = { ...made.ctx, role: "viewer" as const };
    await expect(undoChange(viewer, made.id, changeId)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
  });
});

test("the lists and segments of a contact are those it is in", async () => {
  const { ctx, id } = await somebody({ data: { plan: "pro" }, tags: ["vip"] });
  const list = await makeList(ctx, { name: "Weekly" });
  await makeList(ctx, { name: "Another" });
  await join(ctx, list.id, "ada@example.com");
  const filters = {
    Pro: { field: "data.plan", op: "eq" as const, value: "pro" },
    Weekly: { field: "list", op: "eq" as const, value: list.id },
    Idle: { field: "ignoredEmails", op: "exists" as const },
    Free: { field: "data.plan", op: "eq" as const, value: "free" },
  };
  for (const [name, filter] of Object.entries(filters)) await createSegment(ctx, { name, filter });
  const { lists, segments, segmentsLeftOut } = await getMemberships(ctx, id);
  expect(lists).toEqual([{ id: list.id, name: "Weekly", status: "subscribed" }]);
  expect(segments?.map(({ name }) => name)).toEqual(["Pro", "Weekly"]);
  expect(segmentsLeftOut).toBe(0);
  const stranger = await makeProject(database.db);
  await expect(getMemberships(stranger.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

describe("notes", () => {
  test("are edited by their author, deleted by author or admin, and go with the contact", async () => {
    const { ctx, id } = await somebody();
    const other = (await makeProject(database.db)).ctx.actor;
    const colleague = { ...ctx, actor: other, role: "editor" as const };
    const note = await addNote(ctx, id, { text: "Prefers calls." });
    expect(note).toMatchObject({ own: true, author: { type: "user" } });
    const list = { limit: 20 };
    expect((await listNotes(colleague, id, list)).data).toMatchObject([
      { text: "Prefers calls.", own: false },
    ]);
    const refused = { code: "NOT_ALLOWED" };
    const text = "Mine.";
    await expect(updateNote(colleague, id, note.id, { text })).rejects.toMatchObject(refused);
    await expect(deleteNote(colleague, id, note.id)).rejects.toMatchObject(refused);
    expect(await updateNote(ctx, id, note.id, { text: "Letters." })).toMatchObject({
      text: "Letters.",
    });
    const own = await addNote(colleague, id, { text });
    // The project's owner.
    await deleteNote(ctx, id, own.id);
    expect((await listNotes(ctx, id, list)).data).toHaveLength(1);
    const stranger = await somebody();
    await expect(listNotes(stranger.ctx, id, list)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(deleteNote(stranger.ctx, stranger.id, note.id)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });

    const zip = await new Response(await exportContact(ctx, id)).arrayBuffer();
    expect(readZip(Buffer.from(zip)).get("notes.json")).toContain("Letters.");
    await deleteContact(ctx, id);
    await expect(listNotes(ctx, id, list)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await ctx.db.$count(contactNotes)).toBe(0);
  });

  test("are not overwritten by what was based on an older text", async () => {
    const { ctx, id } = await somebody();
    const { id: note, updatedAt } = await addNote(ctx, id, { text: "Prefers calls." });
    const later = await updateNote(ctx, id, note, { text: "Prefers letters.", basedOn: updatedAt });
    await expect(
      updateNote(ctx, id, note, { text: "Prefers mail.", basedOn: updatedAt }),
    ).rejects.toMatchObject({ code: "CONFLICT", details: [{ path: "basedOn" }] });
    const last = { text: "Prefers mail.", basedOn: later.updatedAt };
    expect(await updateNote(ctx, id, note, last)).toMatchObject({ text: "Prefers mail." });
  });

  test("of a key are all keys' own, but no member's, and a member's are no key's", async () => {
    const { ctx, id } = await somebody();
    const as = (key: string) => ({ ...ctx, actor: { type: "apiKey" as const, id: key } });
    const [key, next] = [as(newId(ctx.projectId)), as(newId(ctx.projectId))];
    const note = await addNote(key, id, { text: "Pays by invoice." });
    const text = "Pays by card.";
    expect(await updateNote(next, id, note.id, { text })).toMatchObject({ text, own: true });
    await expect(updateNote(ctx, id, note.id, { text })).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    const members = await addNote(ctx, id, { text: "Ours." });
    await expect(updateNote(key, id, members.id, { text })).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
  });
});
