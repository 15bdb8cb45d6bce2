import { z } from "zod";
import { followedQuery } from "@/lib/domain/exports/schema";
import {
  cancelImport,
  exportRefusedRows,
  getImport,
  listImports,
  startImport,
} from "@/lib/domain/imports/imports";
import {
  contactImport,
  contactImportDetail,
  importAccepted,
  importQuery,
} from "@/lib/domain/imports/schema";
import { pageQuery, pageSchema } from "@/lib/ground/paging/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { exportedFile } from "./exports";
import { idParam } from "./parameters";

const tag = "Contacts";
const example = {
  id: "imp_01kat4rz8sfq3v6d1mpx3k6w9j",
  filename: "contacts.csv",
  status: "RUNNING",
  total: 1000,
  processed: 400,
  created: 380,
  updated: 18,
  refused: 2,
  duplicates: 0,
  keptUnsubscribed: 0,
  tags: ["fair-2026"],
  listId: null,
  joined: 0,
  notJoined: 0,
  failureReason: null,
  createdAt: "2026-11-21T09:30:00.000Z",
  finishedAt: null,
} as const;
const params = z.object({ id: idParam("import", example.id) });

export const importOperations = [
  operation({
    method: "post",
    path: "/v1/contacts/import",
    name: "importContacts",
    summary: "Import contacts from CSV",
    description:
      "The file as text/csv or as a multipart form. Its first line names the columns: email, firstName, lastName, tags, subscribed; any other becomes custom data. Exports of listmonk and Mailchimp are taken as they are. Columns of numbers, booleans and ISO dates are stored as such. Every row is checked before the answer; a worker then imports them. Refused rows are kept with the reason. If an address has several rows, the last one counts. A project can have ten imports under way.",
    tag,
    access: "editor",
    rate: "api",
    query: importQuery,
    upload: ["text/csv"],
    answer: importAccepted,
    answerExample: { id: example.id },
    successStatuses: [202],
    errors: ["PAYLOAD_TOO_LARGE", "CONFLICT", "NOT_FOUND"],
    run: async (ctx, { query, upload }) => {
      const { file, filename } = await upload();
      const started = await startImport(ctx, {
        file,
        filename: query.filename ?? filename,
        columns: query.columns,
        tags: query.tags,
        listId: query.listId,
        ...(query.subscribed ? { subscribed: query.subscribed === "true" } : {}),
      });
      return { status: 202, body: { id: started.id } };
    },
  }),
  operation({
    method: "get",
    path: "/v1/contacts/imports",
    name: "listImports",
    summary: "List imports",
    tag,
    access: "viewer",
    rate: "api",
    query: pageQuery,
    answer: pageSchema(contactImport).meta({ id: "ContactImportPage" }),
    answerExample: { data: [example] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listImports(ctx, query) }),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/imports/{id}",
    name: "getImport",
    summary: "Get an import",
    description: "Its progress, and the first 100 refused rows.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: contactImportDetail,
    answerExample: {
      ...example,
      refusedRows: [
        { line: 7, email: "ada(at)example.com", reason: "email is not an email address" },
      ],
    },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getImport(ctx, id) }),
  }),
  operation({
    method: "get",
    path: "/v1/contacts/imports/{id}/refused",
    name: "exportRefusedRows",
    summary: "Export an import's refused rows as CSV",
    tag,
    access: "viewer",
    rate: "api",
    params,
    sessionQuery: followedQuery,
    answerType: "text/csv",
    // It is audited; what it reads asks the replica.
    reads: "primary",
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: (ctx, { params: { id }, query: { progress } }) =>
      exportedFile(ctx, "refused.csv", progress, () => exportRefusedRows(ctx, id)),
  }),
  operation({
    method: "post",
    path: "/v1/contacts/imports/{id}/cancel",
    name: "cancelImport",
    summary: "Cancel an import",
    description: "It stops where it is; what was imported so far stays.",
    tag,
    access: "editor",
    rate: "api",
    params,
    answer: contactImport,
    answerExample: { ...example, status: "FAILED", failureReason: "Cancelled." },
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await cancelImport(ctx, id) }),
  }),
] as const;
