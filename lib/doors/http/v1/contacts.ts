import { z } from "zod";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { getContact, listContacts, updateContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { contactListQuery } from "@/lib/domain/contacts/list-schema";
import {
  contact,
  contactBulkAnswer,
  contactBulkInput,
  contactInput,
  contactQuery,
  contactUpdate,
  subscriptionChange,
} from "@/lib/domain/contacts/schema";
import { getEngagement } from "@/lib/domain/engagement/read";
import { engagement } from "@/lib/domain/engagement/schema";
import { upsertContact, upsertContacts } from "@/lib/domain/contacts/upsert";
import { pageQuery, pageSchema } from "@/lib/ground/paging/schema";
import { contentBodyLimit } from "@/lib/doors/http/surface/body";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

export const contactTag = "Contacts";
const tag = contactTag;
const input = {
  email: "ada@example.com",
  firstName: "Ada",
  lastName: "Lovelace",
  tags: ["vip"],
  data: { plan: "pro" },
};
export const contactExample = {
  id: "con_01kat4rz8hfd2b7z1cm4x5n8qk",
  ...input,
  subscribed: true,
  state: "reachable",
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
const example = contactExample;
const changeExample = {
  kind: "subscription",
  before: "subscribed",
  after: "unsubscribed",
  list: null,
  topic: null,
  until: null,
  reason: null,
  comment: null,
  text: null,
  ipAddress: null,
  userAgent: null,
  by: { type: "oneClick", id: null, name: null },
  emailId: "em_01kat4rz8nfm9t5e8x2c7v3q6d",
  importId: null,
  form: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};
export const contactParams = z.object({ id: idParam("contact, or an address", example.id) });
const params = contactParams;

const update = {
  summary: "Change a contact",
  description: "Only the given fields change. The id may be an address.",
  tag,
  access: "editor",
  rate: "api",
  params,
  body: contactUpdate,
  bodyExamples: {
    plan: { summary: "Another plan", value: { data: { plan: "team" } } },
    out: { summary: "Unsubscribe", value: { unsubscribed: true } },
  },
  answer: contact,
  answerExample: example,
  successStatuses: [200],
  errors: ["NOT_FOUND", "CONFLICT"],
} as const;

export const contactOperations = [
  operation({
    method: "post",
    path: "/v1/contacts",
    name: "upsertContact",
    summary: "Create or update a contact",
    description:
      "Identified by address, ignoring case: 201 if it was created, 200 if it existed. Only the given fields change.",
    tag,
    access: "editor",
    rate: "api",
    body: contactInput,
    bodyExamples: { ada: { summary: "A contact", value: input } },
    answer: contact,
    answerExample: example,
    successStatuses: [200, 201],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => {
      const { contact: answer, created } = await upsertContact(ctx, body);
      return { status: created ? 201 : 200, body: answer };
    },
  }),
  operation({
    method: "post",
    path: "/v1/contacts/bulk",
    name: "upsertContacts",
    summary: "Create or update up to 1,000 contacts",
    description: "All or nothing. The answer keeps the order of the request.",
    tag,
    access: "editor",
    rate: "api",
    body: contactBulkInput,
    bodyLimit: contentBodyLimit,
    bodyExamples: { two: { summary: "Contacts", value: { contacts: [input] } } },
    answer: contactBulkAnswer,
    answerExample: { created: 1, updated: 0, data: [{ id: example.id, email: example.email }] },
    successStatuses: [200],
    run: async (ctx, { body }) => ({
      status: 200,
      body: await upsertContacts(ctx, body.contacts),
    }),
  }),
  operation({
    method: "get",
    path: "/v1/contacts",
    name: "listContacts",
    summary: "List contacts",
    description:
      "Newest first, unless `sort` says otherwise. The cursor stays valid while contacts come and go.",
    tag,
    access: "viewer",
    rate: "api",
    query: contactQuery,
    sessionQuery: contactListQuery,
    answer: pageSchema(contact).meta({ id: "ContactPage" }),
    answerExample: { data: [example] },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { query }) => ({ status: 200, body: await listContacts(ctx, query) }),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/{id}",
    name: "getContact",
    summary: "Get a contact",
    description: "The id may be an address.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: contact,
    answerExample: example,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getContact(ctx, id) }),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/{id}/subscription-history",
    name: "listSubscriptionChanges",
    summary: "How a contact's subscription changed",
    description:
      "Newest first: what changed, when, and through whom, for everything the project sends and for each list. The id may be an address.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    query: pageQuery,
    answer: pageSchema(subscriptionChange).meta({ id: "SubscriptionChangePage" }),
    answerExample: { data: [changeExample] },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, query }) => ({
      status: 200,
      body: await listSubscriptionChanges(ctx, id, query),
    }),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/{id}/engagement",
    name: "getEngagement",
    summary: "How a contact takes to your mail",
    description:
      "When they were last seen, and a score with a sentence that explains it. The id may be an address.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: engagement,
    answerExample: {
      score: 71,
      explanation:
        "Engaged, 71 of 100: the person last opened or clicked something 3 days ago, and of 9 emails in the last 180 days opened 6 and clicked in 2.",
      lastSeenAt: "2026-11-18T08:12:00.000Z",
      lastSentAt: "2026-11-18T08:00:00.000Z",
      inactiveDays: 3,
      sent: 9,
      opened: 6,
      clicked: 2,
      months: [{ month: "2026-11", sent: 3, opened: 2, clicked: 1 }],
    },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getEngagement(ctx, id) }),
  }),
  operation({
    ...update,
    method: "patch",
    path: "/v1/contacts/{id}",
    name: "updateContact",
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateContact(ctx, id, body),
    }),
  }),
  operation({
    ...update,
    method: "put",
    path: "/v1/contacts/{id}",
    name: "putContact",
    description: "The same as PATCH: only the given fields change.",
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateContact(ctx, id, body),
    }),
  }),
  operation({
    method: "delete",
    path: "/v1/contacts/{id}",
    name: "deleteContact",
    summary: "Delete a contact for good",
    description:
      "Erases the address everywhere; mail still waiting for it is not sent. A contact created later with this address is unsubscribed unless the request says otherwise.",
    tag,
    access: "editor",
    rate: "api",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await deleteContact(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
