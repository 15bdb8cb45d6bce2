import { eq } from "drizzle-orm";
import { beforeAll, expect } from "vitest";
import { apiKeys, emails } from "@/db/schema";
import type { useTestDatabase } from "@/db/testing";
import { createBearerApp } from "@/lib/doors/http/v1/app";
import { makeProject, type TestProject } from "./index";

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

/** A client of the bearer surface with one key; a `body` of text or bytes is sent as it is. */
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

/** What a test adds to a request to send, or changes in it. */
export type SendFields = Record<string, unknown>;
export const mail: SendFields = {
  to: "ada@example.com",
  from: "hello@sandbox.test",
  subject: "Hello",
  body: "<p>Hello</p>",
};

/** One project for a file of tests that send, with a key that has no limits worth speaking of. */
export function useSendingProject(database: ReturnType<typeof useTestDatabase>) {
  let project: TestProject | undefined;
  let client: ReturnType<typeof bearerClient> | undefined;
  const ready = () => {
    if (!project || !client) throw new Error("The project is made before the first test.");
    return { project, client };
  };
  beforeAll(async () => {
    project = await makeProject(database.db);
    await database.db
      .update(apiKeys)
      .set({ sendsPerMinute: 1_000_000, requestsPerTenSeconds: 1_000_000 })
      .where(eq(apiKeys.projectId, project.projectId));
    client = bearerClient(project.apiKey);
  });
  const ask: ReturnType<typeof bearerClient> = (...request) => ready().client(...request);
  const send = (fields: SendFields) => ask("POST", "/v1/send", { ...mail, ...fields });
  /** Emails of the project so far. */
  const count = () => database.db.$count(emails, eq(emails.projectId, ready().project.projectId));
  return {
    get project() {
      return ready().project;
    },
    ask,
    send,
    count,
    /** Expects a 400 that names the field, and nothing written. */
    expectRefused: async (fields: SendFields, path: string): Promise<void> => {
      const before = await count();
      const answer = await send(fields);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        error: {
          code: "VALIDATION_ERROR",
          details: expect.arrayContaining([
            { path, message: expect.any(String) as unknown },
          ]) as unknown,
        },
      });
      expect(await count()).toBe(before);
    },
  };
}
