import { z } from "zod";
import { contact } from "@/lib/domain/contacts/schema";
import { pageQuery, pageSchema } from "@/lib/ground/paging/schema";
import {
  segment,
  segmentInput,
  segmentPreviewInput,
  segmentListQuery,
  segmentQuery,
  segmentSuggestions,
  segmentUpdate,
} from "@/lib/domain/segments/schema";
import {
  createSegment,
  deleteSegment,
  getSegment,
  listSegments,
  restoreSegment,
  updateSegment,
} from "@/lib/domain/segments/segments";
import { suggestSegmentFields } from "@/lib/domain/segments/suggest";
import { suggestSunset } from "@/lib/domain/engagement/read";
import { sunsetSuggestions } from "@/lib/domain/engagement/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";
import { listSegmentContacts, previewSegment } from "@/lib/domain/segment-members/segment-members";
import { segmentPreview } from "@/lib/domain/segment-members/schema";

const tag = "Segments";
const input = {
  name: "Pro, not from the shop",
  filter: {
    and: [
      { field: "data.plan", op: "eq", value: "pro" },
      { field: "data.signupSource", op: "neq", value: "shop" },
    ],
  },
};
const nested = {
  filter: {
    and: [
      { field: "subscribed", op: "eq", value: true },
      {
        or: [
          { field: "tags", op: "contains", value: "vip" },
          { field: "data.seats", op: "gt", value: 100 },
        ],
      },
      { field: "lastOpenedAt", op: "gt", value: "2026-10-01" },
    ],
  },
};
const recent = {
  filter: {
    and: [
      { field: "createdAt", op: "in_last", days: 30 },
      { field: "lastOpenedAt", op: "not_in_last", days: 7 },
      { field: "email", op: "ends_with", value: "@example.com" },
    ],
  },
};
const counted = {
  filter: {
    and: [
      { field: "openedEmails", op: "at_least", value: 3, days: 30 },
      { field: "bouncedEmails", op: "eq", value: 0, from: "2026-01-01", to: "2026-03-31" },
      {
        field: "clickedEmails",
        op: "at_most",
        value: 0,
        campaign: "cmp_01kat4rz8sfq3v6d1mpx3k6w9j",
      },
    ],
  },
};
const example = {
  id: "seg_01kat4rz8sfq3v6d1mpx3k6w9j",
  ...input,
  contactCount: 1204,
  reachableCount: 1187,
  excluded: {
    never_subscribed: 3,
    unsubscribed: 12,
    paused: 0,
    hard_bounce: 2,
    complaint: 0,
    manual: 0,
    domain: 0,
  },
  countedAt: "2026-11-21T09:30:12.000Z",
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
const member = {
  id: "con_01kat4rz8hfd2b7z1cm4x5n8qk",
  email: "ada@example.com",
  firstName: "Ada",
  lastName: "Lovelace",
  subscribed: true,
  state: "reachable" as const,
  tags: ["vip"],
  data: { plan: "pro", signupSource: "web" },
  createdAt: "2026-11-20T17:03:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
const params = z.object({ id: idParam("segment", example.id) });
const rules = `A filter is {"and": [...]} or {"or": [...]} of conditions {field, op, value} and of further groups.
Fields: the contact's, \`data.<key>\` with dots for nested values, \`list\` (a list's id), \`lastSentAt\`, \`lastOpenedAt\`, \`lastClickedAt\`, and \`campaign.<id>\` with the values sent, opened, clicked, bounced.
\`eq\`, \`neq\` and \`in\` compare exactly, and a number equals its text; \`contains\` finds part of a text regardless of case, or a member of tags and lists; \`starts_with\` and \`ends_with\` do so at its ends; \`gt\` and \`lt\` compare numbers with numbers and ISO dates with ISO dates. \`neq\` and \`not_contains\` hold for a missing field. \`in_last\`, \`not_in_last\` and \`before_last\` compare times with a period of \`days\` or \`hours\` that ends whenever the filter is used. \`sentEmails\`, \`openedEmails\`, \`clickedEmails\` and \`bouncedEmails\` count a person's emails: \`at_least\`, \`at_most\` or \`eq\` so many, ever, in the last \`days\` or \`hours\`, or between \`from\` and \`to\`, and of one \`campaign\` where that is given.`;

const update = {
  summary: "Change a segment",
  description: "Only the given fields change.",
  tag,
  access: "editor",
  rate: "api",
  params,
  body: segmentUpdate,
  bodyExamples: {
    name: { summary: "Another name", value: { name: "Pro" } },
    filter: { summary: "Another filter, nested", value: nested },
  },
  answer: segment,
  answerExample: example,
  successStatuses: [200],
  errors: ["NOT_FOUND", "CONFLICT"],
} as const;

export const segmentOperations = [
  operation({
    method: "get",
    path: "/v1/segments",
    name: "listSegments",
    summary: "List segments",
    description: "Newest first, each with its count.",
    tag,
    access: "viewer",
    rate: "api",
    query: segmentQuery,
    sessionQuery: segmentListQuery,
    answer: pageSchema(segment).meta({ id: "SegmentPage" }),
    answerExample: { data: [example] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listSegments(ctx, query) }),
  }),
  operation({
    method: "post",
    path: "/v1/segments",
    name: "createSegment",
    summary: "Create a segment",
    description: rules,
    tag,
    access: "editor",
    rate: "api",
    body: segmentInput,
    bodyExamples: {
      plan: { summary: "Two conditions", value: input },
      nested: { summary: "Nested groups", value: { name: "Worth a call", ...nested } },
      counted: { summary: "Numbers of emails", value: { name: "Readers", ...counted } },
      recent: { summary: "Periods", value: { name: "New, and has not read lately", ...recent } },
    },
    answer: segment,
    answerExample: example,
    successStatuses: [201],
    run: async (ctx, { body }) => ({ status: 201, body: await createSegment(ctx, body) }),
  }),
  operation({
    method: "post",
    path: "/v1/segments/preview",
    name: "previewSegment",
    reads: "replica",
    summary: "Try a filter",
    description:
      "How many contacts match now, how many of them campaigns reach, and the ten newest. Nothing is saved.",
    tag,
    access: "viewer",
    rate: "api",
    body: segmentPreviewInput,
    bodyExamples: { nested: { summary: "Nested groups", value: nested } },
    answer: segmentPreview,
    answerExample: {
      count: 1,
      reachableCount: 1,
      excluded: {
        never_subscribed: 0,
        unsubscribed: 0,
        paused: 0,
        hard_bounce: 0,
        complaint: 0,
        manual: 0,
        domain: 0,
      },
      sample: [member],
    },
    successStatuses: [200],
    run: async (ctx, { body }) => ({ status: 200, body: await previewSegment(ctx, body.filter) }),
  }),
  operation({
    method: "get",
    path: "/v1/segments/fields",
    name: "suggestSegmentFields",
    summary: "Suggest fields and values",
    description:
      "What a filter can ask for in this project. The keys of custom data, tags and values come from a sample of the newest and oldest contacts.",
    tag,
    access: "viewer",
    rate: "api",
    answer: segmentSuggestions,
    answerExample: {
      fields: [
        { field: "tags", kind: "members", values: [{ value: "vip" }] },
        { field: "data.plan", kind: "text", values: [{ value: "free" }, { value: "pro" }] },
        {
          field: "list",
          kind: "list",
          values: [{ value: "lst_01kat4rz8hfd2b7z1cm4x5n8qk", label: "Newsletter" }],
        },
      ],
      sampled: 1204,
    },
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await suggestSegmentFields(ctx) }),
  }),
  operation({
    method: "get",
    path: "/v1/segments/sunset",
    name: "suggestSunset",
    summary: "Count people who stopped reading",
    description:
      "How many of those whom campaigns reach have opened and clicked nothing for 90, 180 and 365 days, and left three emails of the last 180 days unread. At most ten minutes old. A segment of them asks for `inactiveDays` and `ignoredEmails`.",
    tag,
    access: "viewer",
    rate: "api",
    answer: sunsetSuggestions,
    answerExample: {
      data: [
        { days: 90, count: 310 },
        { days: 180, count: 122 },
        { days: 365, count: 41 },
      ],
      subscribed: 1204,
    },
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await suggestSunset(ctx) }),
  }),
  operation({
    method: "get",
    path: "/v1/segments/{id}",
    name: "getSegment",
    // It counts anew what is out of date.
    reads: "primary",
    summary: "Get a segment",
    description:
      "With its count, which is at most 60 seconds old, and how many of the contacts campaigns reach.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: segment,
    answerExample: example,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getSegment(ctx, id) }),
  }),
  operation({
    ...update,
    method: "patch",
    path: "/v1/segments/{id}",
    name: "updateSegment",
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateSegment(ctx, id, body),
    }),
  }),
  operation({
    ...update,
    method: "put",
    path: "/v1/segments/{id}",
    name: "putSegment",
    description: "The same as PATCH: only the given fields change.",
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateSegment(ctx, id, body),
    }),
  }),
  operation({
    method: "delete",
    path: "/v1/segments/{id}",
    name: "deleteSegment",
    summary: "Delete a segment",
    description: "Its contacts stay.",
    tag,
    access: "editor",
    rate: "api",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await deleteSegment(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    tag,
    rate: "api",
    sessionOnly: true,
    method: "post",
    path: "/v1/segments/{id}/restore",
    name: "restoreSegment",
    summary: "Take the deletion of a segment back",
    access: "editor",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await restoreSegment(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    method: "get",
    path: "/v1/segments/{id}/contacts",
    name: "listSegmentContacts",
    summary: "List a segment's contacts",
    description: "Contacts who match now, newest first.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    query: pageQuery,
    answer: pageSchema(contact).meta({ id: "SegmentContactPage" }),
    answerExample: { data: [member] },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, query }) => ({
      status: 200,
      body: await listSegmentContacts(ctx, id, query),
    }),
  }),
] as const;
