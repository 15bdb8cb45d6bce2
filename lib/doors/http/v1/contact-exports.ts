import { exportSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { exportContacts } from "@/lib/domain/contacts/export";
import { exportQuery } from "@/lib/domain/contacts/schema";
import { exportContact } from "@/lib/domain/person-data/export";
import { operation } from "@/lib/doors/http/surface/operation";
import { contactParams, contactTag } from "./contacts";

/** Before the operations of one contact: `export` is no id. */
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
    answerType: "text/csv",
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { query }) => ({
      status: 200,
      stream: await exportContacts(ctx, query),
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="contacts.csv"',
      },
    }),
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
    answerType: "text/csv",
    successStatuses: [200],
    run: async (ctx) => ({
      status: 200,
      stream: await exportSubscriptionChanges(ctx),
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="consent.csv"',
      },
    }),
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
    answerType: "application/zip",
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      stream: await exportContact(ctx, id),
      headers: {
        "content-type": "application/zip",
        "content-disposition": 'attachment; filename="contact.zip"',
      },
    }),
  }),
] as const;
