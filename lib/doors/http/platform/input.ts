import { AppError } from "@/lib/ground/errors";
import {
  checkStorable,
  defaultBodyLimit,
  parseJson,
  readBody,
} from "@/lib/doors/http/surface/body";
import { formValue, readMultipart } from "@/lib/doors/http/surface/form";
import type { FormFile } from "@/lib/doors/http/surface/operation";
import type { RequestContext } from "@/lib/doors/http/surface/policy";
import type { BodyRules, ReadInput } from "@/lib/doors/http/surface/surface";

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parameters of a form or a query without those that are empty: an empty input is sent along and says nothing. */
export function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(fields).map(([name, value]) => [name, givenValue(value)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function givenValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(givenValue).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (isObject(value)) return withoutEmpty(value);
  return value === "" ? undefined : value;
}

/** What the fields of a form or a query mean. In a change (PATCH), an empty one clears. */
function readFields(c: RequestContext, fields: Iterable<readonly [string, string]>) {
  const value = formValue(fields);
  checkStorable(value);
  return c.req.method === "PATCH" ? value : withoutEmpty(value);
}

/**
 * A body as clients of this kind of API send it: JSON, a form (urlencoded or multipart), or parameters in
 * the query, which the body overrides. The token is left out.
 */
export async function readInput(c: RequestContext, rules: BodyRules): Promise<ReadInput> {
  const { body, rawBody, files } = await readContent(c, rules);
  if (!isObject(body)) return { body, rawBody, files };
  const fields = readFields(c, new URL(c.req.url).searchParams);
  const { api_token: _, ...input } = { ...fields, ...body };
  return { body: input, rawBody, files };
}

async function readContent(
  c: RequestContext,
  { bodyLimit = defaultBodyLimit, room }: BodyRules,
): Promise<ReadInput> {
  const type = c.req.raw.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "multipart/form-data") {
    const form = await readMultipart(c.req.raw, c.env, bodyLimit, room);
    const body = readFields(c, form.fields);
    return { body, rawBody: Buffer.alloc(0), files: form.files };
  }
  const rawBody = await readBody(c.req.raw, c.env, bodyLimit, room);
  return { body: bodyOf(c, rawBody, type), rawBody, files: noFiles };
}

const noFiles: readonly FormFile[] = [];

function bodyOf(c: RequestContext, rawBody: Buffer, type: string | undefined): unknown {
  // `curl -d '{...}'` declares its JSON to be a form.
  const first = rawBody.toString("latin1", 0, 100).trim()[0];
  if (type !== "application/x-www-form-urlencoded" || first === "{" || first === "[") {
    return first === undefined && rawBody.length < 100 ? {} : parseJson(rawBody);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(rawBody);
  } catch {
    throw new AppError("VALIDATION_ERROR", "The request body is not UTF-8.");
  }
  return readFields(c, new URLSearchParams(text));
}
