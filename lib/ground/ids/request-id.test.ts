import { expect, test } from "vitest";
import { randomBase62 } from "@/lib/ground/secrets";
import { callersRequestId, newRequestId } from "./request-id";

test.each([
  "0192f3c4-7d1e-7c3a-9a39-0c5f3e1d2b4a",
  "4bf92f3577b34da6a3ce929d0e0e4736",
  "01JD3Z8Q5T9V7W2XKMN4B6C8DF",
  "checkout-1234",
])("a caller's id is kept: %s", (id) => expect(callersRequestId(id)).toBe(id));

test("one of ours is kept on its way through two installations", () => {
  const id = newRequestId();
  expect(callersRequestId(id)).toBe(id);
});

test.each([
  null,
  "",
  "system",
  "x".repeat(65),
  "somebody@example.com",
  "two\nlines-of-log",
  "header.payload.signature",
  `sk_live_${randomBase62(38)}`,
  `sk_test_short`,
  `lma_${randomBase62(38)}`,
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  // Tokens of sign-in links and of the platform API, and of links in mail.
  `aB${randomBase62(41)}`,
  `aB${randomBase62(33)}`,
])("what cannot be one, or may be a credential, is not: %s", (id) => {
  expect(callersRequestId(id)).toBeNull();
});
