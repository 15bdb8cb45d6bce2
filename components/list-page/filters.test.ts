import { expect, test } from "vitest";
import { isFiltered, isSameView, pageHref, viewOf } from "./filters";

const query = { search: "ada & co", subscribed: false, tag: "", cursor: "abc", limit: 50 };

test("another page keeps the filters, and nothing of the page before", () => {
  expect(pageHref("/contacts", query)).toBe("/contacts?search=ada+%26+co&subscribed=false");
  expect(pageHref("/contacts", query, { cursor: "next" })).toBe(
    "/contacts?search=ada+%26+co&subscribed=false&cursor=next",
  );
  expect(pageHref("/contacts", { cursor: "abc", limit: 50, page: 2 })).toBe("/contacts");
});

test("paging alone does not narrow a list, a filter that is false does", () => {
  expect(isFiltered({ cursor: "abc", limit: 50, page: 3, search: undefined })).toBe(false);
  expect(isFiltered({ subscribed: false })).toBe(true);
  expect(isFiltered({ sort: "email" })).toBe(false);
});

test("a view keeps filters and order, and is the same wherever it is paged to", () => {
  const kept = viewOf({ ...query, sort: "-email" });
  expect(kept).toEqual({ search: "ada & co", subscribed: "false", sort: "-email" });
  expect(isSameView(kept, { sort: "-email", ...query, cursor: "further" })).toBe(true);
  expect(isSameView(kept, query)).toBe(false);
  expect(isSameView({ ...kept, tag: "vip" }, { ...query, sort: "-email" })).toBe(false);
  expect(isSameView({ tag: "vip" }, { search: "vip" })).toBe(false);
  expect(isSameView({}, { cursor: "further", limit: 50 })).toBe(true);
});
