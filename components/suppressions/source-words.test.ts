import { expect, test } from "vitest";
import type { Suppression } from "@/lib/domain/suppressions/schema";
import { sourceWords } from "./source-words";

const ada = { type: "user", id: "usr_1", name: "ada@example.com" } as const;
const shop = { type: "apiKey", id: "key_1", name: "Shop" } as const;

test.each<[Suppression["source"], string]>([
  [null, "Not recorded"],
  [{ type: "bounce", by: null }, "An email that bounced"],
  [{ type: "complaint", by: null }, "An email that was reported as spam"],
  [{ type: "added", by: ada }, "Added by ada@example.com"],
  [{ type: "added", by: { ...ada, name: null } }, "Added by somebody who is gone"],
  [{ type: "added", by: shop }, "Added with the API key Shop"],
  [{ type: "added", by: { ...shop, name: null } }, "Added with an API key"],
  [
    { type: "added", by: { ...ada, type: "platformToken" } },
    "Added with a platform token of ada@example.com",
  ],
  [{ type: "added", by: { type: "system", id: null, name: null } }, "Added by Lettermill"],
  [{ type: "import", by: ada }, "A file, imported by ada@example.com"],
  [{ type: "merge", by: ada }, "Another address of the same person, merged by ada@example.com"],
  [{ type: "restored", by: null }, "It was suppressed when its contact was deleted, and came back"],
])("%j is told as: %s", (source, words) => {
  expect(sourceWords({ source })).toBe(words);
});
