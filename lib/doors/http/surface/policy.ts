import type { Context as HonoContext } from "hono";
import type { Database } from "@/db/client";
import type { AppError } from "@/lib/ground/errors";
import type { NodeBindings } from "./client-address";
import type { Credential } from "./credential";

/** A request on its way through a surface, with Node's own request where bin/web.ts took it. */
export type RequestContext = HonoContext<{ Bindings: NodeBindings }>;

/** What a request is answered with; neither body nor stream: no content. */
export interface Answer {
  status: number;
  body?: unknown;
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

/** What surfaces differ in: whom they let in, and how they report an error. */
export interface SurfacePolicy {
  /** Who is calling. Throws an AppError for a credential that is missing or not known. */
  credential(db: Database, request: Request): Promise<Credential>;
  /** An error in the surface's own envelope. */
  errorAnswer(error: AppError, requestId: string): Answer;
  /** Its requests come from a surface that has counted them. */
  countedBefore?: boolean;
  /** On every answer. */
  headers?: Record<string, string>;
}
