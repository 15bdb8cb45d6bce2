import { createPlatformApp } from "@/lib/doors/http/platform/app";
import { findOrCreatePlatformToken } from "@/lib/domain/projects/platform-tokens";
import type { TestProject } from "./index";

export interface PlatformAnswer {
  status: number;
  headers: Headers;
  // Tests look into bodies whose shape is what they test.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** The platform API token of the project's member. */
export function platformToken({ ctx, projectId, userId }: TestProject): Promise<string> {
  return findOrCreatePlatformToken(ctx.db, { projectId, userId });
}

/** A client of the platform surface with one token; a body is JSON unless it is a form or text. */
export function platformClient(token: string | null) {
  const app = createPlatformApp();
  return async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<PlatformAnswer> {
    const url = new URL(`http://localhost/api/v1${path}`);
    if (token !== null) url.searchParams.set("api_token", token);
    const isReady =
      typeof body === "string" || body instanceof URLSearchParams || body instanceof FormData;
    const response = await app.fetch(
      new Request(url, {
        method,
        headers: {
          ...(body !== undefined && !isReady ? { "content-type": "application/json" } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isReady ? body : JSON.stringify(body) }),
      }),
    );
    const answer = (await response.json()) as unknown;
    return { status: response.status, headers: response.headers, body: answer };
  };
}
