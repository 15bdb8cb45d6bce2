import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeQuotedPrintable } from "./quoted-printable";

/** Decodes by the words of RFC 2045. */
function decoded(text: string): string {
  const joined = text.replace(/=\r\n/g, "");
  const bytes: number[] = [];
  for (let at = 0; at < joined.length; at++) {
    if (joined[at] === "=") {
      bytes.push(Number.parseInt(joined.slice(at + 1, at + 3), 16));
      at += 2;
    } else bytes.push(joined.charCodeAt(at));
  }
  return Buffer.from(bytes).toString("utf8");
}

const texts = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\n", "\r", "\r\n", " ", "\t", ".", "=", "a", "é", "👋", "\0"),
    fc.string({ minLength: 1, maxLength: 1, unit: "grapheme" }),
  ),
  maxLength: 600,
});

test("decodes to what was encoded, with CRLF line ends", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(decoded(encodeQuotedPrintable(text))).toBe(text.replace(/\r\n|\r|\n/g, "\r\n"));
    }),
    { numRuns: 2_000 },
  );
});

test("has lines of 76 printable characters at most, none beginning with a dot or ending in white space", () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const line of encodeQuotedPrintable(text).split("\r\n")) {
        expect(line).toMatch(/^[\t\x20-\x7e]{0,76}$/);
        expect(line).not.toMatch(/^\.|[ \t]$/);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("fills lines to the end", () => {
  expect(encodeQuotedPrintable("a".repeat(76))).toBe("a".repeat(76));
  expect(encodeQuotedPrintable("a".repeat(77))).toBe(`${"a".repeat(75)}=\r\naa`);
});
