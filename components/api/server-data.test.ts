import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { isNews, takeOver } from "./server-data";

const key = ["contacts", "prj_1"];

test("what a page was rendered with replaces an older answer that is cached", () => {
  const queries = new QueryClient();
  queries.setQueryData(key, { data: ["before"] });
  const rendered = { data: ["before", "imported"] };
  expect(isNews(rendered)).toBe(true);
  takeOver(queries, key, rendered);
  expect(queries.getQueryData(key)).toEqual(rendered);
  expect(isNews(rendered)).toBe(false);
});

test("a page that is gone back to does not bring old rows back", () => {
  const queries = new QueryClient();
  const rendered = { data: ["old"] };
  takeOver(queries, key, rendered);
  queries.setQueryData(key, { data: ["new"] });
  takeOver(queries, key, rendered);
  expect(queries.getQueryData(key)).toEqual({ data: ["new"] });
});

test("what a page begins with is not put into the cache twice, which would draw it twice", () => {
  const queries = new QueryClient();
  const rendered = { data: ["one"] };
  queries.getQueryCache().build(queries, { queryKey: key, initialData: rendered });
  const told: string[] = [];
  queries.getQueryCache().subscribe(({ type }) => told.push(type));
  takeOver(queries, key, rendered);
  expect(told).toEqual([]);
  expect(queries.getQueryData(key)).toBe(rendered);
  expect(isNews(rendered)).toBe(false);
});
