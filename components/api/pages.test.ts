import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { ApiRoute } from "@/lib/doors/http/client";
import { invalidateChanged, isWrite, resourceOf } from "./query-keys";

/** The dashboard's own sources, by path. */
const sources = readdirSync("components", { recursive: true, encoding: "utf8" })
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join("components", path), "utf8") }));

/** What follows a call's opening parenthesis, up to the closing one. */
function argumentsAt(text: string, start: number): string {
  let depth = 1;
  let end = start;
  while (depth > 0 && end < text.length) {
    if (text[end] === "(") depth++;
    if (text[end] === ")") depth--;
    end++;
  }
  return text.slice(start, end - 1);
}

const reads = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/\buseRead\(/g)].flatMap((call) => {
    const given = argumentsAt(text, call.index + call[0].length);
    const route = /^\s*"(GET \/v1\/[^"]+)"/.exec(given)?.[1] as ApiRoute | undefined;
    return route ? [{ path, route, given }] : [];
  }),
);
const writes = [
  ...new Set(
    sources
      .filter(({ path }) => path !== "api/query-keys.ts")
      .flatMap(({ text }) => text.match(/\b(?:POST|PUT|PATCH|DELETE) \/v1\/[\w{}/-]+/g) ?? []),
  ),
].filter((route) => isWrite(route as ApiRoute)) as ApiRoute[];

/** Which of the resources that pages show a write makes stale. */
async function staleAfter(write: ApiRoute, resources: readonly string[]): Promise<string[]> {
  const queries = new QueryClient();
  for (const resource of resources) queries.setQueryData([resource, "prj_1", "GET", {}], {});
  await invalidateChanged(queries, "prj_1", write);
  return resources.filter(
    (resource) => queries.getQueryState([resource, "prj_1", "GET", {}])?.isInvalidated,
  );
}

test("whatever a page shows is made stale by some write of the dashboard, and by those to itself", async () => {
  // Both would pass unseen if the sources were written another way.
  expect(reads.length).toBeGreaterThan(90);
  expect(writes.length).toBeGreaterThan(90);
  const shown = [...new Set(reads.map(({ route }) => resourceOf(route) as string))];
  const left = new Set(shown);
  for (const write of writes) {
    const stale = await staleAfter(write, shown);
    const own = resourceOf(write);
    if (shown.includes(own)) expect(stale, write).toContain(own);
    for (const resource of stale) left.delete(resource);
  }
  expect([...left]).toEqual([]);
});

/** Read once, since editors learn of others' changes when they save, or because it does not change. */
const readOnce: readonly string[] = [
  "campaigns/use-draft.ts GET /v1/campaigns/{id}",
  "forms/form-share.tsx GET /v1/forms/{id}/snippet",
  "segments/segment-editor.tsx GET /v1/segments/fields",
];

test("what a page is rendered with is read again while it is open", () => {
  const once = reads
    .filter(({ given }) => /\binitial\b/.test(given) && !/\bevery\b/.test(given))
    .map(({ path, route }) => `${path} ${route}`);
  expect(once).toEqual(readOnce);
});
