import { expect, test } from "vitest";
import { previewCsv } from "./csv-preview";

test("quotes, doubled quotes, line breaks in cells, a byte order mark and CRLF are read", () => {
  const text = '\ufeffemail,note\r\nada@example.com,"a, ""b""\nc"\r\n\r\ngrace@example.com,\r\n';
  expect(previewCsv(text, true)).toEqual({
    header: ["email", "note"],
    rows: [
      ["ada@example.com", 'a, "b"\nc'],
      ["grace@example.com", ""],
    ],
  });
});

test("a row that may be cut off is left out, the last of a whole file is not", () => {
  const text = "email,plan\na@example.com,pro\nb@example.com,pr";
  expect(previewCsv(text, false).rows).toEqual([["a@example.com", "pro"]]);
  expect(previewCsv(text, true).rows).toHaveLength(2);
});

test("no more rows than asked for", () => {
  const text = `email\n${"a@example.com\n".repeat(100)}`;
  expect(previewCsv(text, true, 5).rows).toHaveLength(5);
});

test.each([
  ["email;note\na@example.com;x, y\n", "x, y"],
  ["email\tnote\na@example.com\tx; y\n", "x; y"],
  ['email;"a,b,c,d"\na@example.com;"x;y"\n', "x;y"],
])("cells are told apart as the first line does (%#)", (text, note) => {
  expect(previewCsv(text, true).rows).toEqual([["a@example.com", note]]);
});
