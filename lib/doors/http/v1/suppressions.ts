import { z } from "zod";
import { followed } from "@/lib/domain/exports/schema";
import { exportSuppressions } from "@/lib/domain/suppressions/export";
import { importSuppressions } from "@/lib/domain/suppressions/import";
import {
  suppression,
  suppressionCreate,
  suppressionFilter,
  suppressionImport,
  suppressionImportQuery,
  suppressionQuery,
} from "@/lib/domain/suppressions/schema";
import {
  addSuppression,
  getSuppression,
  liftSuppression,
  listSuppressions,
} from "@/lib/domain/suppressions/suppressions";
import { operation } from "@/lib/doors/http/surface/operation";
import { pageSchema } from "@/lib/ground/paging/schema";
import { exportedFile } from "./exports";

const tag = "Suppressions";
const example = {
  email: "ada@example.com",
  reason: "hard_bounce",
  source: { type: "bounce", by: null },
  emailId: "em_01kat4rz8sfq3v6d1mpx3k6w9j",
  response: "550 5.1.1 User unknown",
  createdAt: "2026-11-21T09:30:00.000Z",
} as const;
const params = z.object({
  email: z.string().max(320).meta({
    description: "An address, or a domain after an @: `@example.com`.",
    example: example.email,
  }),
});

export const suppressionOperations = [
  operation({
    method: "get",
    path: "/v1/suppressions",
    name: "listSuppressions",
    summary: "List suppressed addresses",
    description: "Addresses and whole domains nothing is sent to, the newest first.",
    tag,
    access: "viewer",
    rate: "api",
    query: suppressionQuery,
    answer: pageSchema(suppression).meta({ id: "SuppressionPage" }),
    answerExample: { data: [example] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listSuppressions(ctx, query) }),
  }),
  operation({
    method: "post",
    path: "/v1/suppressions",
    name: "addSuppression",
    summary: "Suppress an address or a domain",
    description:
      "Nothing is sent to it from now on, mail that waits included. `@example.com` is the whole domain, without its subdomains. 201 when it is new; 200 when it was suppressed before, for whatever reason: nothing changes then.",
    tag,
    access: "editor",
    rate: "api",
    body: suppressionCreate,
    answer: suppression,
    answerExample: {
      ...example,
      reason: "manual",
      source: {
        type: "added",
        by: { type: "apiKey", id: "key_01kat4rz8sfq3v6d1mpx3k6w9j", name: "Shop" },
      },
      emailId: null,
      response: null,
    },
    successStatuses: [200, 201],
    run: async (ctx, { body }) => {
      const { created, suppression } = await addSuppression(ctx, body);
      return { status: created ? 201 : 200, body: suppression };
    },
  }),
  operation({
    method: "post",
    path: "/v1/suppressions/import",
    name: "importSuppressions",
    summary: "Suppress the addresses of a CSV",
    description:
      "The file as text/csv or as a multipart form, up to a million rows: a column `email` (or Mailgun's `address`, SES's and Postmark's `recipient`), perhaps `reason`, `response` (or `error`, `details`), the server's words, and `createdAt` (or `created`, `date`): without a date that can be read, a row is of now; or lines of addresses alone. `@example.com` is a whole domain. All of it is taken over in this request; nothing, where the file cannot be read. A file whose request failed may be sent again. Addresses that are suppressed already stay as they are. Rows without an address are counted and told.",
    tag,
    access: "editor",
    rate: "api",
    query: suppressionImportQuery,
    upload: ["text/csv"],
    answer: suppressionImport,
    answerExample: {
      added: 240,
      known: 8,
      refused: 1,
      refusedRows: [{ line: 7, email: "ada(at)example.com", reason: "is not an email address" }],
    },
    successStatuses: [200],
    errors: ["PAYLOAD_TOO_LARGE"],
    run: async (ctx, { query, upload }) => {
      const { file } = await upload();
      return { status: 200, body: await importSuppressions(ctx, file, query) };
    },
  }),
  operation({
    method: "get",
    path: "/v1/suppressions/export",
    name: "exportSuppressions",
    summary: "Export suppressed addresses as CSV",
    description:
      "Streamed, newest first: email, reason, source, by, emailId, response, createdAt. `POST /v1/suppressions/import` reads it; where each comes from is then that import.",
    tag,
    access: "viewer",
    rate: "api",
    query: suppressionFilter,
    sessionQuery: suppressionFilter.extend(followed),
    answerType: "text/csv",
    // It is audited; what it reads asks the replica.
    reads: "primary",
    successStatuses: [200],
    run: (ctx, { query: { progress, ...query } }) =>
      exportedFile(ctx, "suppressions.csv", progress, () => exportSuppressions(ctx, query)),
  }),
  operation({
    method: "get",
    path: "/v1/suppressions/{email}",
    name: "getSuppression",
    summary: "Why an address is suppressed",
    description:
      "The suppression of the address itself, else that of its whole domain. 404 when mail may be sent to it.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: suppression,
    answerExample: example,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { email } }) => ({
      status: 200,
      body: await getSuppression(ctx, email),
    }),
  }),
  operation({
    method: "delete",
    path: "/v1/suppressions/{email}",
    name: "liftSuppression",
    summary: "Allow mail to an address again",
    description:
      "What a bounce ended on lists is restored. Whoever complained or unsubscribed stays unsubscribed. 409 for an address that only the suppression of its whole domain keeps from mail: lift that. The audit log says who did it.",
    tag,
    access: "editor",
    rate: "api",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { email } }) => {
      await liftSuppression(ctx, email);
      return { status: 204 };
    },
  }),
] as const;
