import type { FieldError } from "@/lib/errors";

/** An answer of the API that is not a success, or none at all (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly FieldError[] = [],
    readonly requestId?: string,
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** What is wrong with one field, in the API's words; null when nothing is. */
  fieldError(path: string): string | null {
    return this.details.find((detail) => detail.path === path)?.message ?? null;
  }
}

interface Envelope {
  error?: { code?: string; message?: string; details?: FieldError[] };
  requestId?: string;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return {};
  }
}

/** Sends a request to a same-origin address and gives its JSON (undefined for 204). Throws ApiError. */
export async function requestJson<Answer>(
  url: string,
  options: { method?: string; body?: unknown; signal?: AbortSignal } = {},
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: options.method ?? "GET",
      ...(options.signal ? { signal: options.signal } : {}),
      ...(options.body === undefined
        ? {}
        : {
            headers: { "content-type": "application/json" },
            body: JSON.stringify(options.body),
          }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "UNREACHABLE", "The server cannot be reached. Check the connection.");
  }
  if (response.status === 204) return undefined as Answer;
  const body = await readJson(response);
  if (response.ok) return body as Answer;
  const { error, requestId } = body as Envelope;
  throw new ApiError(
    response.status,
    error?.code ?? "UNKNOWN",
    error?.message ?? `The server answered ${response.status}.`,
    error?.details,
    requestId,
  );
}

/** The address of a bearer operation for a project's dashboard: `/v1/emails` with its query. */
export function apiPath(
  projectId: string,
  path: string,
  query: Record<string, string | number | undefined | null> = {},
): string {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === null || value === "" ? [] : [[key, String(value)]],
  );
  const search = new URLSearchParams(given).toString();
  return `/api/dashboard/${projectId}${path}${search ? `?${search}` : ""}`;
}
