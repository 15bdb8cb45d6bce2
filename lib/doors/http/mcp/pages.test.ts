import { expect, test } from "vitest";
import { pageFrom } from "./pages";

const names = Array.from({ length: 120 }, (_, index) => `tool_${index}`);
const page = (cursor?: string) => pageFrom(names, (name) => name, cursor);

test("the pages that follow each other's cursors hold everything once", () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { page: part, nextCursor } = page(cursor);
    expect(part.length).toBeLessThanOrEqual(50);
    seen.push(...part);
    cursor = nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(names);
});

test("what fits on one page has no cursor", () => {
  expect(pageFrom(names.slice(0, 50), (name) => name, undefined)).toEqual({
    page: names.slice(0, 50),
  });
});

test("a cursor that is nobody's is refused", () => {
  expect(() => page("tool_120")).toThrow(/cursor/i);
});
