import type { z } from "zod";
import type { Context } from "@/lib/ground/context";
import type { ErrorCode } from "@/lib/ground/errors";
import type { Upload } from "./upload";
import type { Role } from "@/db/enums";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** A file of a multipart form. */
export interface FormFile {
  /** The name of the form's field. */
  field: string;
  filename: string;
  content: Buffer;
}

/** What an operation is run with: every part parsed by its schema. */
export interface OperationInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** The body's bytes, for Idempotency-Key. */
  rawBody: Buffer;
  headers: Headers;
  /** The caller's address; "unknown" where there is no way to tell. */
  clientAddress: () => string;
  /** The files of a multipart form, where the surface takes such a form as a body. */
  files: readonly FormFile[];
  /** The uploaded file, for operations that take one. */
  upload: () => Promise<Upload>;
}

export interface OperationAnswer<Body> {
  status: 200 | 201 | 202 | 204;
  body?: Body;
  /** Instead of a JSON body; its type is among the headers. */
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

export interface Example {
  summary: string;
  value: unknown;
}

/**
 * One operation of an HTTP surface, declared once: routing, validation, rights, the OpenAPI document and
 * the typed client are all read from it.
 */
export interface Operation<
  Verb extends Method = Method,
  Path extends string = string,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  SessionQuery extends z.ZodType = Query,
  SessionBody extends z.ZodType = Body,
> {
  method: Verb;
  /** Canonical, as in OpenAPI: `/v1/emails/{id}`. */
  path: Path;
  /** Other paths that do the same; not in the document. A parameter that one of them lacks is empty. */
  aliases?: readonly string[];
  /** operationId, unique. */
  name: string;
  summary: string;
  description?: string;
  tag: string;
  /** What the caller needs: a role, or the right to send (which `sending` keys have). */
  access: Role | "send";
  /** Which rate limit it counts towards. */
  rate: "send" | "api";
  /** Dashboard sessions only: hidden from the document, 403 to keys. */
  sessionOnly?: boolean;
  /** Which database answers where there is a replica; GET: the replica, others: the primary. */
  reads?: "replica" | "primary";
  /** Also answers members who lack the two-step sign-in that their project asks for. */
  beforeTwoStep?: boolean;
  /** Documents the Idempotency-Key header. */
  idempotent?: boolean;
  params?: Params;
  query?: Query;
  body?: Body;
  /**
   * What dashboard sessions ask in place of `query` and `body`: the same and more. Neither in the document nor open to
   * keys.
   */
  sessionQuery?: SessionQuery;
  sessionBody?: SessionBody;
  /** A missing body counts as an empty object. */
  bodyOptional?: boolean;
  /** Bytes of the largest body it takes, other than an upload; 1 MB unless set. */
  bodyLimit?: number;
  bodyExamples?: Record<string, Example>;
  /** MIME types of the file that the operation takes instead of a JSON body; a multipart form works too. */
  upload?: readonly string[];
  /** Schema of the successful answer; absent: no content. */
  answer?: Answer;
  answerExample?: unknown;
  /** MIME type of a streamed answer, which then has no schema. */
  answerType?: string;
  successStatuses: readonly (200 | 201 | 202 | 204)[];
  /** In addition to those that any operation may return. */
  errors?: readonly ErrorCode[];
  /** A method, so that operations of any types can stand in one list. */
  run(
    ctx: Context,
    input: OperationInput<z.output<Params>, z.output<SessionQuery>, z.output<SessionBody>>,
  ): Promise<OperationAnswer<z.input<Answer>>>;
}

/** Declares an operation; only infers types. */
export function operation<
  const Verb extends Method,
  const Path extends string,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
  SessionQuery extends z.ZodType = Query,
  SessionBody extends z.ZodType = Body,
>(
  declaration: Operation<Verb, Path, Params, Query, Body, Answer, SessionQuery, SessionBody>,
): Operation<Verb, Path, Params, Query, Body, Answer, SessionQuery, SessionBody> {
  return declaration;
}

/** An operation whose types the router does not need. */
export type AnyOperation = Operation;

/** What it takes from a caller: a dashboard session, or anybody else. */
export function inputOf(
  { query, body, sessionQuery = query, sessionBody = body }: AnyOperation,
  isSession: boolean,
): Pick<AnyOperation, "query" | "body"> {
  const [asked, sent] = isSession ? [sessionQuery, sessionBody] : [query, body];
  return { ...(asked && { query: asked }), ...(sent && { body: sent }) };
}

/** Whether it asks the replica where there is one. */
export function readsReplica({ method, reads }: Pick<AnyOperation, "method" | "reads">): boolean {
  return reads === undefined ? method === "get" : reads === "replica";
}
