import { createBearerApp } from "@/lib/api/bearer/app";

export interface BearerAnswer {
  status: number;
  headers: Headers;
  text: string;
  // Tests look into bodies whose shape is what they test.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" || body instanceof Uint8Array;
}

/** A client of the bearer surface with one key; `body` is sent as it is when it is text or bytes. */
export function bearerClient(apiKey: string | null) {
  const app = createBearerApp("key");
  return async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<BearerAnswer> {
    const response = await app.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? (JSON.parse(text) as unknown) : undefined,
    };
  };
}
