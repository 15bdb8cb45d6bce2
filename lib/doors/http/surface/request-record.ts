import type { IncomingMessage } from "node:http";
import { callersRequestId, newRequestId } from "@/lib/ground/ids/request-id";
import type { NodeBindings } from "./client-address";

/** What is noted about a request on the side, to measure and log it once it is answered. */
interface RequestRecord {
  id: string;
  /** The pattern of its path, as operations declare it; null until it is known. Never the path itself. */
  route: string | null;
}

const records = new WeakMap<IncomingMessage, RequestRecord>();

/** Begins a request's record: with its caller's id where that may be logged, otherwise a new one. */
export function openRecord(incoming: IncomingMessage): RequestRecord {
  const id = callersRequestId([incoming.headers["x-request-id"] ?? null].flat()[0]);
  const record: RequestRecord = { id: id ?? newRequestId(), route: null };
  records.set(incoming, record);
  return record;
}

/** Says which pattern a request's path has. */
export function noteRoute(bindings: NodeBindings | undefined, route: string): void {
  const record = bindings?.incoming && records.get(bindings.incoming);
  if (record) record.route = route;
}

/** The request's id: its record's, if bin/web.ts took it; otherwise its caller's, or a new one. */
export function requestIdOf(request: Request, bindings?: NodeBindings): string {
  const record = bindings?.incoming && records.get(bindings.incoming);
  return record?.id ?? callersRequestId(request.headers.get("x-request-id")) ?? newRequestId();
}

/** The same for code that has only Node's request. */
export function recordedId(incoming: IncomingMessage | undefined): string {
  return (incoming && records.get(incoming)?.id) ?? newRequestId();
}
