import type { z } from "zod";
import { t } from "@/lib/ground/texts/t";
import type { BearerOperation } from "./v1/operations";

/*
 * The dashboard's client of the bearer surface. Only types come from the operations, so nothing of the
 * server reaches the browser: `api(project)("GET /v1/emails", { query: { status: "SENT" } })`.
 */

type Route<Op> = Op extends { method: infer Verb extends string; path: infer Path extends string }
  ? `${Uppercase<Verb>} ${Path}`
  : never;
export type ApiRoute = Route<BearerOperation>;
type OperationAt<R extends ApiRoute> = Extract<
  BearerOperation,
  R extends `${infer Verb} ${infer Path}` ? { method: Lowercase<Verb>; path: Path } : never
>;
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [key in Name]?: undefined }
  : Record<string, never> extends Value
    ? { [key in Name]?: Value }
    : { [key in Name]: Value };

export type ApiInput<R extends ApiRoute> = Part<"params", InputOf<OperationAt<R>["params"]>> &
  Part<"query", InputOf<OperationAt<R>["sessionQuery"]>> &
  Part<"body", InputOf<OperationAt<R>["sessionBody"]>>;
export type ApiAnswer<R extends ApiRoute> = OperationAt<R>["answer"] extends z.ZodType
  ? z.output<NonNullable<OperationAt<R>["answer"]>>
  : OperationAt<R>["answer"] extends (infer Schema) | undefined
    ? Schema extends z.ZodType
      ? z.output<Schema>
      : undefined
    : undefined;

/** The request header with the person (wire id) whose page asks. Refused when somebody else is signed in by now. */
export const viewerHeader = "lettermill-viewer";

/** An error answer of the surface. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly { path: string; message: string }[],
    readonly requestId: string | undefined,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

/**
 * A client for one project (wire id) with the browser's session, for a page made for `viewer` (wire id). Throws
 * ApiError for an error answer, and with status 0 when the server cannot be reached.
 */
export function api(project: string, viewer: string) {
  return async function call<R extends ApiRoute>(
    route: R,
    input: ApiInput<R>,
    options: { signal?: AbortSignal } = {},
  ): Promise<ApiAnswer<R>> {
    const [method = "GET", template = ""] = route.split(" ");
    const { params, query, body } = input as {
      params?: Record<string, string>;
      query?: Record<string, unknown>;
      body?: unknown;
    };
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params?.[name] ?? ""),
    );
    const search = new URLSearchParams(
      Object.entries(query ?? {}).flatMap(([name, value]) =>
        value === undefined || value === ""
          ? []
          : [[name, typeof value === "string" ? value : JSON.stringify(value)]],
      ),
    ).toString();
    const response = await fetch(`/api/dashboard/${project}${path}${search && `?${search}`}`, {
      method,
      headers: {
        [viewerHeader]: viewer,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...options,
    }).catch((error: unknown) => {
      if (options.signal?.aborted) throw error;
      throw new ApiError(0, "UNREACHABLE", t("The server cannot be reached."), [], undefined);
    });
    if (response.status === 204) return undefined as ApiAnswer<R>;
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return answer as ApiAnswer<R>;
    const { error, requestId } = (answer ?? {}) as {
      error?: { code: string; message: string; details?: { path: string; message: string }[] };
      requestId?: string;
    };
    throw new ApiError(
      response.status,
      error?.code ?? "INTERNAL_ERROR",
      error?.message ?? t("The server answered {status}.", { status: String(response.status) }),
      error?.details ?? [],
      requestId,
    );
  };
}
