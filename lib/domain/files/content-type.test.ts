import { expect, test } from "vitest";
import { detectType, isInline } from "./content-type";

const bytes = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["\x89PNG\r\n\x1a\n....", "x.html", "image/png"],
  ["\xff\xd8\xff\xe0..", "x.png", "image/jpeg"],
  ["GIF89a..", "", "image/gif"],
  ["RIFF....WEBPVP8 ", "", "image/webp"],
  ["\0\0\0\x20ftypavif....", "", "image/avif"],
  ["%PDF-1.7", "x.png", "application/pdf"],
  ["<svg xmlns='http://www.w3.org/2000/svg'/>", "x.png", "image/svg+xml"],
  [
    '\ufeff<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg PUBLIC "x" "y">\n<svg>',
    "",
    "image/svg+xml",
  ],
  ["BEGIN:VCALENDAR\r\n", "", "text/calendar"],
  ["a,b\n1,2\n", "people.csv", "text/csv"],
  ["hello", "hello.TXT", "text/plain"],
  [
    "PK\x03\x04....",
    "terms.docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ],
])("%j called %j is %s", (content, name, contentType) => {
  const head = content.startsWith("\ufeff") ? Buffer.from(content) : bytes(content);
  expect(detectType(head, name)?.contentType).toBe(contentType);
});

test.each([
  ["<!doctype html><p>Hi", "x.png"],
  ["<!doctype html><p>Hi", "x.txt"],
  ["<script>alert(1)</script>", "x.csv"],
  ["<!-- <svg> --><html>", "x.svg"],
  ["<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", "x.svg"],
  ["GIF", "x.gif"],
  ["MZ\x90\0", "x.png"],
  ["\x7fELF", "x.txt"],
  ["PK\x03\x04", "x.jar"],
  ["PK\x03\x04", "x.png"],
  ["hello", "hello.png"],
  ["hello", "hello"],
  ["\0\0\0\x20ftypheic", "x.heic"],
  ["\0\0\0\0", "x.txt"],
  ["   ", "x.txt"],
])("%j called %j is not taken", (content, name) =>
  expect(detectType(bytes(content), name)).toBeNull(),
);

test("a character cut at the end of the head is no fault", () => {
  expect(detectType(Buffer.from("aé").subarray(0, 2), "x.txt")?.contentType).toBe("text/plain");
});

test("pictures alone are opened in the browser", () => {
  expect(isInline("image/png")).toBe(true);
  expect(["image/svg+xml", "text/plain", "application/pdf", "x/y"].some(isInline)).toBe(false);
});
