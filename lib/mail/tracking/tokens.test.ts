import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newUnownedId } from "@/lib/ground/ids/ids";
import {
  confirmToken,
  contactToken,
  isMailedTo,
  linkToken,
  pixelToken,
  readConfirmToken,
  readContactToken,
  readLinkToken,
  readPixelToken,
  readRecipientToken,
  recipientToken,
} from "./tokens";

const uuid = newUnownedId();
const otherUuid = newUnownedId();
const readers = [
  readRecipientToken,
  readPixelToken,
  readLinkToken,
  readConfirmToken,
  readContactToken,
];
const tokens = [
  recipientToken(uuid),
  pixelToken(uuid),
  linkToken({ emailId: uuid, linkId: 2n ** 62n + 7n, links: 3 }),
  confirmToken(uuid),
  contactToken(uuid),
];

describe("tokens", () => {
  it("read what was written into them", () => {
    expect(readRecipientToken(recipientToken(uuid))).toBe(uuid);
    expect(readPixelToken(pixelToken(uuid))).toBe(uuid);
    expect(readConfirmToken(confirmToken(uuid))).toBe(uuid);
    const mailed = confirmToken(uuid, "Ada@example.com");
    expect(readConfirmToken(mailed)).toBe(uuid);
    expect(isMailedTo(mailed, ["x@example.com", "ada@EXAMPLE.com"])).toBe(true);
    expect(isMailedTo(mailed, ["x@example.com"])).toBe(false);
    expect(isMailedTo(confirmToken(uuid), ["x@example.com"])).toBe(true);
    expect(isMailedTo(recipientToken(uuid), ["x@example.com"])).toBe(false);
    const link = { emailId: uuid, linkId: 2n ** 63n - 1n, links: 12 };
    expect(readLinkToken(linkToken(link))).toEqual(link);
    expect(readLinkToken(linkToken({ ...link, links: 1_000 }))).toEqual({ ...link, links: 255 });
    expect(readContactToken(contactToken(uuid))).toEqual({ contactId: uuid, listId: null });
    expect(readContactToken(contactToken(uuid, otherUuid))).toEqual({
      contactId: uuid,
      listId: otherUuid,
    });
  });

  it("are the same each time, short and fit for an address", () => {
    expect(recipientToken(uuid)).toBe(recipientToken(uuid));
    expect(recipientToken(uuid)).toMatch(/^[\w-]{35}$/);
    expect(linkToken({ emailId: uuid, linkId: 2n ** 62n, links: 1 })).toMatch(/^[\w-]{47}$/);
  });

  it("of links that were counted are read as ever, and made again letter by letter", () => {
    // Made by the version that counted, under the tests' secret.
    const token = "AZLzxH0efDqaOQxfPh0rSgwAAAAAASzPkAeoG-ArGe7m";
    const link = { emailId: "0192f3c4-7d1e-7c3a-9a39-0c5f3e1d2b4a", linkId: 300n, links: 12 };
    expect(readLinkToken(token)).toEqual(link);
    expect(linkToken(link)).toBe(token);
    expect(readLinkToken(linkToken({ ...link, linkId: 2n ** 47n }))?.linkId).toBe(2n ** 47n);
  });

  it("are good for their own purpose only", () => {
    for (const [kind, token] of tokens.entries()) {
      for (const [reader, read] of readers.entries()) {
        expect(read(token) === null).toBe(reader !== kind);
      }
    }
  });

  it("are refused with any letter changed, added or taken away", () => {
    const letter = fc.constantFrom(..."ABCDEFabcdef0189-_=+/ .\u00e9");
    fc.assert(
      fc.property(
        fc.constantFrom(...tokens, confirmToken(uuid, "ada@example.com")),
        fc.nat(),
        letter,
        fc.constantFrom("change", "add", "remove"),
        (token, at, to, how) => {
          const place = at % token.length;
          const left = token.slice(0, place);
          const right = token.slice(how === "add" ? place : place + 1);
          const spoiled = left + (how === "remove" ? "" : to) + right;
          fc.pre(spoiled !== token);
          for (const read of readers) expect(read(spoiled)).toBeNull();
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("refuse what is no token at all", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        for (const read of readers) expect(read(text)).toBeNull();
      }),
    );
  });
});
