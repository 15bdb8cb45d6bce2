import { expect, test } from "vitest";
import { preflight } from "./preflight";

const ids = (html: string, address = true) => preflight({ html, address }).map(({ id }) => id);
const wayOut = '<a href="{{ unsubscribeUrl }}">Leave</a>';

test("a mail with nothing against it gets no word", () => {
  expect(ids(`${wayOut}<img src="a.png" alt=""><IMG ALT='b' SRC=b>`)).toEqual([]);
  expect(ids("")).toEqual([]);
});

test("the way out may be the preferences page, and is added where there is none", () => {
  expect(ids("<a href='{{preferencesUrl}}'>Leave</a>")).toEqual([]);
  expect(ids("<p>unsubscribeUrl</p>")).toEqual(["wayOut"]);
});

test("size is counted in bytes of UTF-8", () => {
  expect(ids(wayOut + "é".repeat(51 * 1024))).toEqual(["size"]);
  expect(ids(wayOut + "e".repeat(101 * 1024))).toEqual([]);
});

test("pictures without alt text are counted", () => {
  const [warning] = preflight({ html: `${wayOut}<img src=a><img\nsrc=b>`, address: true });
  expect(warning?.title).toContain("2 images have no alt text");
});

test("a postal address is asked for", () => {
  expect(ids(wayOut, false)).toEqual(["address"]);
});
