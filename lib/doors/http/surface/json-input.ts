import { parseJson, readBody } from "./body";
import type { RequestContext } from "./policy";
import type { BodyRules, ReadInput } from "./surface";

/** A body that is JSON, whatever its content type says. */
export async function readJsonInput(
  c: RequestContext,
  { bodyOptional, bodyLimit, room }: BodyRules,
): Promise<ReadInput> {
  const rawBody = await readBody(c.req.raw, c.env, bodyLimit, room);
  const body = bodyOptional && rawBody.length === 0 ? {} : parseJson(rawBody);
  return { rawBody, body, files: [] };
}
