import { expect, test } from "vitest";
import { contentDisposition } from "./disposition";

test.each([
  ["a.pdf", "attachment; filename*=UTF-8''a.pdf"],
  ["größe (1).txt", "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%281%29.txt"],
  ['a"\r\nx: y', "attachment; filename*=UTF-8''a%22%0D%0Ax%3A%20y"],
  ["\ud800", "attachment; filename*=UTF-8''%EF%BF%BD"],
])("%j", (name, expected) => expect(contentDisposition("attachment", name)).toBe(expected));
