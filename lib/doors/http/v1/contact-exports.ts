import { exportSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { exportContacts } from "@/lib/domain/contacts/export";
import { listExportQuery } from "@/lib/domain/contacts/list-schema";
import { exportQuery } from "@/lib/domain/contacts/schema";
import { getDepartures } from "@/lib/domain/departures/departures";
import { departureQuery, departures } from "@/lib/domain/departures/schema";
import { followed, followedQuery } from "@/lib/domain/exports/schema";
import { exportContact } from "@/lib/domain/person-data/export";
import { operation } from "@/lib/doors/http/surface/operation";
import { contactParams, contactTag } from "./contacts";
import { exportedFile } from "./exports";

const leaving = { people: 7 };

/** Listed before the operations on one contact: `export` is not an id. */
export const contactExportOperations = [
  operation({
    method: "get",
    path: "/v1/contacts/export",
    name: "exportContacts",
    summary: "Export contacts as CSV",
    description:
      "Streamed. Columns email, subscribed, createdAt and one for each custom attribute; `columns` adds more. Cells that a spreadsheet would run as a formula get a leading quote.",
    tag: contactTag,
    access: "viewer",
    rate: "api",
    query: exportQuery,
    sessionQuery: listExportQuery.extend(followed),
    answerType: "text/csv",
    // It is audited; what it reads asks the replica.
    reads: "primary",
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: (ctx, { query: { progress, ...query } }) =>
      exportedFile(ctx, "contacts.csv", progress, () => exportContacts(ctx, query)),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/subscription-history",
    name: "exportSubscriptionChanges",
    summary: "Export the history of all consent as CSV",
    description:
      "Streamed, person by person: what each agreed to or left, when, through whom, and the text they were shown.",
    tag: contactTag,
    access: "viewer",
    rate: "api",
    sessionQuery: followedQuery,
    answerType: "text/csv",
    // It is audited; what it reads asks the replica.
    reads: "primary",
    successStatuses: [200],
    run: (ctx, { query: { progress } }) =>
      exportedFile(ctx, "consent.csv", progress, () => exportSubscriptionChanges(ctx)),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/{id}/export",
    name: "exportContact",
    summary: "Export everything about a contact",
    description:
      "A ZIP, streamed: a page to read, and as JSON and CSV the contact with its lists and topics, its emails, opens and clicks, its consents, and what it wrote. What article 15 of the GDPR asks for. The id may be an address.",
    tag: contactTag,
    access: "viewer",
    rate: "api",
    params: contactParams,
    sessionQuery: followedQuery,
    answerType: "application/zip",
    // It is audited; what it reads asks the replica.
    reads: "primary",
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: (ctx, { params: { id }, query: { progress } }) =>
      exportedFile(ctx, "contact.zip", progress, () => exportContact(ctx, id)),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/departures",
    name: "getDepartures",
    summary: "Where and why people leave",
    description:
      "How many people left everything, a list or a topic, the reasons they gave, and the campaigns, lists and topics it happened by, and the sign-up forms they had come by, with the most first. Counted by day (UTC) as it happens.",
    tag: contactTag,
    access: "viewer",
    rate: "api",
    query: departureQuery,
    answer: departures,
    answerExample: {
      ...leaving,
      days: [{ day: "2026-11-20", everything: leaving.people, list: 0, topic: 0 }],
      scopes: [{ scope: "everything", ...leaving }],
      reasons: [{ reason: "too_often", ...leaving }],
      through: [{ type: "oneClick", ...leaving }],
      campaigns: [{ id: "cmp_01kat4rz8tfpw8ry5wvtz6jw0q", name: "November", ...leaving }],
      lists: [{ id: "lst_01kat4rz8tfpw8ry5wvtz6jw0q", name: "Weekly", ...leaving }],
      forms: [{ id: "frm_01kat4rz8sfq3v6d1mpx3k6w9j", name: "On the home page", ...leaving }],
      topics: [{ id: "top_01kat4rz8sfq3v6d1mpx3k6w9j", name: "Product news", ...leaving }],
    },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await getDepartures(ctx, query) }),
  }),
] as const;
