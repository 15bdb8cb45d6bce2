import { z } from "zod";
import { getBulkChange, listBulkChanges } from "@/lib/domain/contact-fields/bulk-change-rows";
import { previewBulkChange, startBulkChange } from "@/lib/domain/contact-fields/bulk-changes";
import {
  describeContactField,
  listContactFields,
  listContactTags,
} from "@/lib/domain/contact-fields/fields";
import {
  bulkChange,
  bulkChangeInput,
  bulkChangePreview,
  bulkChangeQuery,
  listChangeInput,
  contactField,
  contactFieldInput,
  contactFieldList,
  contactTagList,
} from "@/lib/domain/contact-fields/schema";
import { cancelBulkChange, undoBulkChange } from "@/lib/domain/contact-fields/take-back";
import { runSmall } from "@/lib/engine/bulk-changes/small";
import { pageSchema } from "@/lib/ground/paging/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const tag = "Contacts";
const field = {
  key: "plan",
  kind: "text",
  described: true,
  description: "What they pay for",
  position: 1,
  contacts: 1200,
  misfits: 0,
  updatedAt: "2026-11-20T10:00:00.000Z",
} as const;
const countedAt = "2026-11-21T09:30:00.000Z";
const example = {
  id: "bch_01kat4rz8sfq3v6d1mpx3k6w9j",
  action: "rename_field",
  name: "plan",
  newName: "tier",
  listId: null,
  status: "RUNNING",
  progress: 0.4,
  total: 2400,
  processed: 960,
  changed: 0,
  refused: {},
  undoable: false,
  failureReason: null,
  createdAt: countedAt,
  finishedAt: null,
} as const;
const tagged = {
  ...example,
  action: "tag",
  name: "vip",
  newName: null,
  total: 12_345,
  processed: 8_000,
  progress: 0.65,
  changed: 7_950,
  refused: { tagLimit: 1 },
} as const;
const changeParams = z.object({ id: idParam("change", example.id) });

export const contactFieldOperations = [
  operation({
    method: "get",
    path: "/v1/contacts/fields",
    name: "listContactFields",
    // It counts anew what is out of date.
    reads: "primary",
    summary: "List custom fields",
    description:
      "The keys that contacts' `data` holds, and those that were described before anybody has them. Large projects are counted in the background: `countedAt` says when.",
    tag,
    access: "viewer",
    rate: "api",
    answer: contactFieldList,
    answerExample: { data: [field], contacts: 2000, countedAt },
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await listContactFields(ctx) }),
  }),
  operation({
    method: "put",
    path: "/v1/contacts/fields/{key}",
    name: "describeContactField",
    summary: "Describe a custom field",
    description:
      "Its type, what it is for and its place; nobody need have it yet. Refused when contacts have values of another type, unless `acceptMisfits` is set.",
    tag,
    access: "editor",
    rate: "api",
    params: z.object({
      key: z.string().meta({ description: "The key, percent-encoded.", example: "plan" }),
    }),
    body: contactFieldInput,
    answer: contactField,
    answerExample: field,
    successStatuses: [200],
    errors: ["CONFLICT"],
    run: async (ctx, { params, body }) => ({
      status: 200,
      body: await describeContactField(ctx, params.key, body),
    }),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/tags",
    name: "listContactTags",
    // It counts anew what is out of date.
    reads: "primary",
    summary: "List tags",
    description: "The tags of contacts, the commonest first.",
    tag,
    access: "viewer",
    rate: "api",
    answer: contactTagList,
    answerExample: { data: [{ tag: "vip", contacts: 12 }], contacts: 2000, countedAt },
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await listContactTags(ctx) }),
  }),
  operation({
    method: "post",
    path: "/v1/contacts/changes",
    name: "startBulkChange",
    summary: "Change many contacts",
    description:
      "Renames or removes a custom field or a tag for everybody; or tags, untags, unsubscribes or deletes all contacts that match a filter, or has them join or leave a list. Whom a filter is about is fixed at once: who matches later is not touched. Up to 500 contacts are changed before the answer (200, unless it takes long); more by a worker (202). One change at a time, and the same one asked for again is answered with the one under way. Events are told as for each contact alone, except for renames and removals. Nobody is subscribed again: who left a list or everything does not join, and a list that asks for confirmation asks each of them. Segments, forms and the field's description follow a rename; placeholders in templates and campaigns do not. Refused for a new name that contacts have already, unless `merge` is set, and for removing what a segment or a form uses.",
    tag,
    access: "editor",
    rate: "api",
    body: bulkChangeInput,
    sessionBody: listChangeInput,
    bodyExamples: {
      rename: {
        summary: "Rename a field",
        value: { action: "rename_field", name: "plan", newName: "tier" },
      },
      tag: {
        summary: "Tag all that match",
        value: { action: "tag", name: "vip", filter: { search: "@example.com" } },
      },
      list: {
        summary: "Have a segment join a list",
        value: {
          action: "join_list",
          listId: "lst_01kat4rz8sfq3v6d1mpx3k6w9j",
          filter: { segmentId: "seg_01kat4rz8sfq3v6d1mpx3k6w9j" },
        },
      },
    },
    answer: bulkChange,
    answerExample: { ...example, status: "PENDING", progress: 0, processed: 0 },
    successStatuses: [200, 202],
    errors: ["CONFLICT", "NOT_FOUND"],
    run: async (ctx, { body }) => {
      const change = await runSmall(ctx, await startBulkChange(ctx, body));
      return { status: change.finishedAt === null ? 202 : 200, body: change };
    },
  }),
  operation({
    method: "post",
    path: "/v1/contacts/changes/preview",
    name: "previewBulkChange",
    reads: "replica",
    summary: "Preview a change of many contacts",
    description: "Whom it would change and what names the field or tag. Changes nothing.",
    tag,
    access: "viewer",
    rate: "api",
    body: bulkChangeInput,
    sessionBody: listChangeInput,
    answer: bulkChangePreview,
    answerExample: {
      contacts: 1200,
      both: 0,
      taken: false,
      segments: [{ id: "seg_01kat4rz8sfq3v6d1mpx3k6w9j", name: "Pro plan" }],
      forms: [],
      templates: [
        {
          id: "tpl_01kat4rz8sfq3v6d1mpx3k6w9j",
          name: "Welcome",
          placeholders: ["{{ plan }}"],
        },
      ],
      savedBlocks: [],
      campaigns: [],
      imports: [],
      refusal: null,
    },
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { body }) => ({ status: 200, body: await previewBulkChange(ctx, body) }),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/changes",
    name: "listBulkChanges",
    summary: "List changes of many contacts",
    tag,
    access: "viewer",
    rate: "api",
    query: bulkChangeQuery,
    answer: pageSchema(bulkChange).meta({ id: "BulkChangePage" }),
    answerExample: { data: [example] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listBulkChanges(ctx, query) }),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/changes/{id}",
    name: "getBulkChange",
    summary: "Get a change of many contacts",
    description: "Its progress, and how many it changed or passed over.",
    tag,
    access: "viewer",
    rate: "api",
    params: changeParams,
    answer: bulkChange,
    answerExample: tagged,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params }) => ({ status: 200, body: await getBulkChange(ctx, params.id) }),
  }),
  operation({
    method: "post",
    path: "/v1/contacts/changes/{id}/cancel",
    name: "cancelBulkChange",
    summary: "Cancel a change of many contacts",
    description:
      "It stops where it is; those changed so far stay changed. Renaming and removing cannot be stopped half-way.",
    tag,
    access: "editor",
    rate: "api",
    params: changeParams,
    answer: bulkChange,
    answerExample: { ...tagged, status: "CANCELLED", finishedAt: countedAt, undoable: true },
    successStatuses: [200],
    errors: ["CONFLICT", "NOT_FOUND"],
    run: async (ctx, { params }) => ({ status: 200, body: await cancelBulkChange(ctx, params.id) }),
  }),
  operation({
    method: "post",
    path: "/v1/contacts/changes/{id}/undo",
    name: "undoBulkChange",
    summary: "Take back a change of tags",
    description:
      "Starts another change, about exactly those whom this one changed: a tag it added is taken off, one it took off is added again. For seven days, once.",
    tag,
    access: "editor",
    rate: "api",
    params: changeParams,
    answer: bulkChange,
    answerExample: { ...tagged, action: "untag", status: "PENDING", progress: 0 },
    successStatuses: [200, 202],
    errors: ["CONFLICT", "NOT_FOUND"],
    run: async (ctx, { params }) => {
      const change = await runSmall(ctx, await undoBulkChange(ctx, params.id));
      return { status: change.finishedAt === null ? 202 : 200, body: change };
    },
  }),
];
