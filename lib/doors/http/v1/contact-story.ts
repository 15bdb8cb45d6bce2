import { getMemberships } from "@/lib/domain/contact-story/memberships";
import { addNote, deleteNote, listNotes, updateNote } from "@/lib/domain/contact-story/notes";
import {
  contactMemberships,
  contactNote,
  noteInput,
  noteUpdate,
  timelineEntry,
  timelineQuery,
} from "@/lib/domain/contact-story/schema";
import { listTimeline } from "@/lib/domain/contact-story/timeline";
import { undoChange } from "@/lib/domain/contact-story/undo";
import { contact } from "@/lib/domain/contacts/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { pageQuery, pageSchema } from "@/lib/ground/paging/schema";
import { contactExample, contactParams, contactTag as tag } from "./contacts";
import { idParam } from "./parameters";

const at = "2026-11-21T09:30:00.000Z";
const changeId = "chg_01kat4rz8fh7k2m5p8r1t4w7y0";
const entryExample = {
  id: "changed.01936d7e8f2a7cde9a4b3f5e6d7c8b9a",
  type: "changed",
  at,
  change: {
    id: changeId,
    before: { data: { plan: "free" } },
    after: { data: { plan: "pro" } },
    by: { type: "user", id: "usr_01kat4rz8e0c4g8k2p6t0x4b8d", name: "grace@example.com" },
    ...{ import: null, form: null, undoes: null, undone: false, undoable: true },
  },
};
const note = {
  id: "note_01kat4rz8q3t7w1z5b9d3g7k1n",
  text: "Asked for an invoice by post.",
  author: { type: "user", id: "usr_01kat4rz8e0c4g8k2p6t0x4b8d", name: "grace@example.com" },
  own: true,
  createdAt: at,
  updatedAt: at,
};
const noteParams = contactParams.extend({ noteId: idParam("note", note.id) });
const noteExamples = { note: { summary: "A note", value: { text: note.text } } };
const common = { tag, rate: "api" } as const;
const reads = { ...common, access: "viewer", successStatuses: [200] } as const;

export const contactStoryOperations = [
  operation({
    ...reads,
    method: "get",
    path: "/v1/contacts/{id}/timeline",
    name: "listTimeline",
    summary: "What happened with a contact",
    description:
      "Newest first: mail to them and from them, opens and clicks, lists, tags, consent, changes of fields with the values before and after, forms and imports. Changes of fields are recorded from this version on, and kept as long as the audit log. The id may be an address.",
    params: contactParams,
    query: timelineQuery,
    answer: pageSchema(timelineEntry).meta({ id: "TimelinePage" }),
    answerExample: { data: [entryExample] },
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, query }) => ({
      status: 200,
      body: await listTimeline(ctx, id, query),
    }),
  }),
  operation({
    ...common,
    method: "post",
    path: "/v1/contacts/{id}/timeline/{changeId}/undo",
    name: "undoContactChange",
    summary: "Undo a change of a contact",
    description:
      "Gives the fields and tags that a change set their values before it, as long as nobody has changed them since. The undoing is a change of its own. Consent and lists are never undone: change them explicitly.",
    access: "editor",
    params: contactParams.extend({ changeId: idParam("change", changeId) }),
    answer: contact,
    answerExample: contactExample,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params }) => ({
      status: 200,
      body: await undoChange(ctx, params.id, params.changeId),
    }),
  }),
  operation({
    ...reads,
    method: "get",
    path: "/v1/contacts/{id}/memberships",
    name: "getMemberships",
    summary: "The lists and segments a contact is in",
    description: "Segments as they are at this moment. The id may be an address.",
    params: contactParams,
    answer: contactMemberships,
    answerExample: {
      lists: [{ id: "lst_01kat4rz8j2m6q0t4w8z2c6f0h", name: "Weekly", status: "subscribed" }],
      segments: [{ id: "seg_01kat4rz8k3n7r1v5x9a3d7g1j", name: "Pro customers" }],
      segmentsLeftOut: 0,
    },
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getMemberships(ctx, id) }),
  }),
  operation({
    ...reads,
    method: "get",
    path: "/v1/contacts/{id}/notes",
    name: "listContactNotes",
    summary: "List notes about a contact",
    description:
      "Newest first. The people themselves see notes only if they ask for all data about them. The id may be an address.",
    params: contactParams,
    query: pageQuery,
    answer: pageSchema(contactNote).meta({ id: "ContactNotePage" }),
    answerExample: { data: [note] },
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, query }) => ({
      status: 200,
      body: await listNotes(ctx, id, query),
    }),
  }),
  operation({
    ...common,
    method: "post",
    path: "/v1/contacts/{id}/notes",
    name: "addContactNote",
    summary: "Add a note about a contact",
    access: "editor",
    params: contactParams,
    body: noteInput,
    bodyExamples: noteExamples,
    answer: contactNote,
    answerExample: note,
    successStatuses: [201],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 201,
      body: await addNote(ctx, id, body),
    }),
  }),
  operation({
    ...common,
    method: "patch",
    path: "/v1/contacts/{id}/notes/{noteId}",
    name: "updateContactNote",
    summary: "Edit a note",
    description:
      "Only its author may: the member who wrote it. What one key of a project wrote, any of its keys may edit.",
    access: "editor",
    params: noteParams,
    body: noteUpdate,
    bodyExamples: noteExamples,
    answer: contactNote,
    answerExample: note,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params, body }) => ({
      status: 200,
      body: await updateNote(ctx, params.id, params.noteId, body),
    }),
  }),
  operation({
    ...common,
    method: "delete",
    path: "/v1/contacts/{id}/notes/{noteId}",
    name: "deleteContactNote",
    summary: "Delete a note",
    description: "Its author may, and admins.",
    access: "editor",
    params: noteParams,
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params }) => {
      await deleteNote(ctx, params.id, params.noteId);
      return { status: 204 };
    },
  }),
] as const;
