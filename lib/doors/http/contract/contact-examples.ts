import { Readable } from "node:stream";
import { asc, eq } from "drizzle-orm";
import { apiKeys } from "@/db/schema";
import { addNote } from "@/lib/domain/contact-story/notes";
import { listTimeline } from "@/lib/domain/contact-story/timeline";
import { updateContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createForm, deleteForm, listForms } from "@/lib/domain/forms/forms";
import { startImport } from "@/lib/domain/imports/imports";
import { createSegment, deleteSegment } from "@/lib/domain/segments/segments";
import { addSuppression } from "@/lib/domain/suppressions/suppressions";
import { createTopic, deleteTopic, listTopics } from "@/lib/domain/topics/topics";
import { startBulkChange } from "@/lib/domain/contact-fields/bulk-changes";
import { runBulkChanges } from "@/lib/engine/bulk-changes/run";
import { takeOverImports } from "@/lib/engine/imports/apply-rows";
import { encodeId } from "@/lib/ground/ids/ids";
import type { TestProject } from "@/lib/testing";
import { nextNumber, nothing, paging, type Example, type PathIds } from "./example";

const csv = () => `email,plan\nc${nextNumber()}@example.com,pro\nnobody,pro\n`;

export const anyContact = async ({ ctx }: TestProject) =>
  (await upsertContact(ctx, { email: `c${nextNumber()}@example.com` })).contact.id;

/** What earlier calls started is taken over first: a project has ten imports under way at most. */
async function anyImport({ ctx }: TestProject): Promise<string> {
  await takeOverImports(ctx.db, { signal: new AbortController().signal });
  return (await startImport(ctx, { file: Readable.from([Buffer.from(csv())]) })).id;
}

/** Always the same: a project makes one change to all contacts at a time. */
const bulkChangeInput = () => ({ action: "remove_tag" as const, name: "old" });
const anyBulkChange = async ({ ctx }: TestProject) =>
  (await startBulkChange(ctx, bulkChangeInput())).id;

/** Left to a worker, since a project makes one change at a time: whatever an earlier call began is made first. */
async function cancellableChange({ ctx }: TestProject): Promise<string> {
  await runBulkChanges(ctx.db, AbortSignal.timeout(20_000));
  await upsertContact(ctx, { email: `c${nextNumber()}@example.com` });
  return (await startBulkChange(ctx, tagAll())).id;
}
async function undoableChange(project: TestProject): Promise<string> {
  const id = await cancellableChange(project);
  await runBulkChanges(project.ctx.db, AbortSignal.timeout(20_000));
  return id;
}
const tagAll = () => ({ action: "tag" as const, name: `tag${nextNumber()}`, filter: {} });
const unknownChange = encodeId("bulkChange", nothing);

const segmentInput = () => ({
  name: "Pro",
  filter: { and: [{ field: "data.plan", op: "eq" as const, value: "pro" }] },
});
const anySegment = async ({ ctx }: TestProject) => (await createSegment(ctx, segmentInput())).id;
async function deletedSegment(project: TestProject): Promise<string> {
  const id = await anySegment(project);
  await deleteSegment(project.ctx, id);
  return id;
}

const contact = { id: anyContact, unknownId: encodeId("contact", nothing) };
/** Changed once. */
async function anyChange({ ctx }: TestProject) {
  const { contact: made } = await upsertContact(ctx, { email: `c${nextNumber()}@example.com` });
  await updateContact(ctx, made.id, { firstName: "Ada" });
  const { data } = await listTimeline(ctx, made.id, { kinds: "changes", limit: 1 });
  return { id: made.id, changeId: data[0]?.change?.id ?? "" };
}
/** Of whoever will ask, since others may not edit it: the member of a session, elsewhere the project's key. */
async function anyNote({ ctx, projectId, userId }: TestProject) {
  const [key] = await ctx.db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(eq(apiKeys.projectId, projectId))
    .orderBy(asc(apiKeys.id))
    .limit(1);
  const isSession = ctx.actor.type === "system" || !key;
  const actor = isSession
    ? { type: "user" as const, id: userId }
    : { type: "apiKey" as const, id: key.id };
  const { contact: made } = await upsertContact(ctx, { email: `c${nextNumber()}@example.com` });
  const written = await addNote({ ...ctx, actor }, made.id, { text: "Called" });
  return { id: made.id, noteId: written.id };
}
const note = { id: anyNote, unknownId: contact.unknownId };
/** A second address of the same person beside the contact, which merging leaves as one. */
const mergeable = {
  id: async (project: TestProject) => {
    const email = `c${nextNumber()}@example.com`;
    const { contact: made } = await upsertContact(project.ctx, { email });
    return { id: made.id, other: await anyContact(project) };
  },
  unknownId: contact.unknownId,
  body: ({ other = encodeId("contact", nothing) }: PathIds) => ({ other }),
};
const contactImport = { id: anyImport, unknownId: encodeId("import", nothing) };
const segment = { id: anySegment, unknownId: encodeId("segment", nothing) };
/** A project has a bounded number of topics, and each test asks for one of its own. */
async function anyTopic({ ctx }: TestProject): Promise<string> {
  const { data } = await listTopics(ctx);
  for (const { id } of data) await deleteTopic(ctx, id);
  return (await createTopic(ctx, { name: `Topic ${nextNumber()}` })).id;
}

const topic = {
  id: anyTopic,
  unknownId: encodeId("topic", nothing),
};
/** A project has a bounded number of forms, too. */
async function anyForm({ ctx }: TestProject): Promise<string> {
  const { data } = await listForms(ctx, { limit: 100 });
  for (const { id } of data) await deleteForm(ctx, id);
  return (await createForm(ctx, { name: `Form ${nextNumber()}` })).id;
}

const form = { id: anyForm, unknownId: encodeId("form", nothing) };
/** Its path names an address. */
const suppressed = {
  id: async ({ ctx }: TestProject) => {
    const { suppression } = await addSuppression(ctx, {
      email: `suppressed${nextNumber()}@example.com`,
    });
    return { id: suppression.email, email: suppression.email };
  },
  unknownId: "unknown@example.com",
};

export const contactExamples: Record<string, Example> = {
  importContacts: { body: csv, headers: { "content-type": "text/csv" } },
  listImports: paging,
  getImport: contactImport,
  exportRefusedRows: contactImport,
  cancelImport: contactImport,
  listContactFields: {},
  describeContactField: {
    id: () => Promise.resolve({ id: "plan", key: "plan" }),
    body: () => ({ kind: "text" }),
  },
  listContactTags: {},
  startBulkChange: { body: bulkChangeInput },
  previewBulkChange: { body: bulkChangeInput },
  listBulkChanges: paging,
  getBulkChange: { id: anyBulkChange, unknownId: unknownChange },
  cancelBulkChange: { id: cancellableChange, unknownId: unknownChange },
  undoBulkChange: { id: undoableChange, unknownId: unknownChange },
  upsertContact: {
    body: () => ({ email: `c${nextNumber()}@example.com`, data: { plan: "pro" } }),
  },
  upsertContacts: { body: () => ({ contacts: [{ email: `c${nextNumber()}@example.com` }] }) },
  listContacts: paging,
  exportContacts: { query: { tag: "vip" }, wrongQuery: [{ columns: "password" }] },
  getContact: contact,
  listSubscriptionChanges: { ...contact, query: { limit: "5" } },
  exportSubscriptionChanges: {},
  getDepartures: { query: { startDate: "2026-01-01" }, wrongQuery: [{ startDate: "soon" }] },
  exportContact: contact,
  getEngagement: contact,
  listTimeline: {
    ...contact,
    query: { limit: "5", kinds: "changes,lists" },
    wrongQuery: [{ kinds: "moods" }, ...paging.wrongQuery],
  },
  undoContactChange: { id: anyChange, unknownId: contact.unknownId },
  getMemberships: contact,
  listContactNotes: { ...contact, ...paging },
  addContactNote: { ...contact, body: () => ({ text: "Called" }) },
  updateContactNote: { ...note, body: () => ({ text: "Called twice" }) },
  deleteContactNote: note,
  mergeContacts: mergeable,
  previewMerge: mergeable,
  updateContact: { ...contact, body: () => ({ firstName: "Grace" }) },
  putContact: { ...contact, body: () => ({ firstName: "Grace" }) },
  deleteContact: contact,
  listSuppressions: paging,
  addSuppression: { body: () => ({ email: "nobody@example.com" }) },
  importSuppressions: { body: csv, headers: { "content-type": "text/csv" } },
  exportSuppressions: { query: { reason: "manual" }, wrongQuery: [{ reason: "mood" }] },
  getSuppression: suppressed,
  liftSuppression: suppressed,
  listSegments: paging,
  createSegment: { body: segmentInput },
  previewSegment: { body: () => ({ filter: segmentInput().filter }) },
  suggestSegmentFields: {},
  suggestSunset: {},
  getSegment: segment,
  updateSegment: { ...segment, body: () => ({ name: "Another name" }) },
  putSegment: { ...segment, body: segmentInput },
  deleteSegment: segment,
  restoreSegment: { ...segment, id: deletedSegment },
  listSegmentContacts: { ...segment, ...paging },
  listForms: { query: { limit: "5" } },
  createForm: { body: () => ({ name: "Footer", questions: [] }) },
  previewForm: { body: () => ({ name: "Footer", texts: { title: "Our letter" } }) },
  getForm: form,
  updateForm: { ...form, body: () => ({ doubleOptIn: false }) },
  deleteForm: form,
  getFormFigures: { ...form, query: { days: "7" } },
  getFormSnippet: { ...form, query: { language: "de" } },
  listTopics: {},
  createTopic: { body: () => ({ name: `Topic ${nextNumber()}` }) },
  getTopic: topic,
  updateTopic: { ...topic, body: () => ({ description: "Once a month" }) },
  deleteTopic: topic,
};
