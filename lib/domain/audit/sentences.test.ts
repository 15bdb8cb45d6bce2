import { expect, test } from "vitest";
import { auditActions } from "@/db/audit-actions";
import { auditChoices, auditSentence } from "./sentences";

const ada = { type: "user", id: "usr_1", name: "ada@example.com" } as const;
const system = { type: "system", id: null, name: "" } as const;

test.each([...auditActions])("%s reads as a sentence, whatever its details lack", (action) => {
  const { before, after } = auditSentence({ action, actor: ada, details: {} });
  const sentence = `${before}the thing${after ?? ""}`;
  expect(sentence).toMatch(/^ada@example\.com [a-z]/);
  expect(sentence).not.toMatch(/undefined|null|\{|\}|\s\s|\s$/);
});

test("every action is offered, no two in the same words", () => {
  expect(auditChoices.map(({ value }) => value)).toEqual(auditActions);
  expect(new Set(auditChoices.map(({ label }) => label)).size).toBe(auditActions.length);
  for (const { label } of auditChoices) expect(label).toMatch(/^[A-Z][^{}]*[^{}\s]$/);
});

test("a sentence says by what, and what changed", () => {
  const say = (told: Parameters<typeof auditSentence>[0], target = "X") => {
    const { before, after } = auditSentence(told);
    return after === null ? before : `${before}${target}${after}`;
  };
  expect(say({ action: "start.session", actor: ada, details: { by: "link" } })).toBe(
    "ada@example.com signed in with a one-time link",
  );
  expect(
    say({
      action: "unsubscribe.contact",
      actor: system,
      details: { by: "recipient", before: "subscribed" },
    }),
  ).toBe("The recipient unsubscribed the contact X (was subscribed)");
  expect(
    say({
      action: "start.import",
      actor: { type: "apiKey", id: "key_1", name: "Shop" },
      details: { rows: 50_000 },
    }),
  ).toBe("The API key Shop imported 50,000 rows of contacts from X");
  const refused = (details: Record<string, unknown>) =>
    say({ action: "refuse.session", actor: system, details }, "ada@example.com");
  expect(refused({ by: "password" })).toBe(
    "Somebody tried to sign in as ada@example.com with a wrong password",
  );
  expect(refused({ by: "link", purpose: "login", reason: "used" })).toBe(
    "Somebody tried to sign in as ada@example.com with a one-time link that had been used before",
  );
  expect(refused({ by: "link", purpose: "password_reset", reason: "expired" })).toBe(
    "Somebody tried to reset the password of ada@example.com with a one-time link that had expired",
  );
  expect(say({ action: "end.sessions", actor: ada, details: { by: "signOut" } })).toBe(
    "ada@example.com signed out",
  );
});
