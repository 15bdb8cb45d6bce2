import { expect, test } from "vitest";
import { sesFaultKinds } from "@/db/enums";
import type { SesIdentity } from "@/lib/domain/sending-domains/schema";
import { isUntold, mailFromWords, remedyOf, sesWords } from "./ses-words";

const identity: SesIdentity = {
  connectionId: null,
  region: "eu-central-1",
  status: "PENDING",
  error: null,
  dkim: null,
  mailFrom: { host: "ses-eu-central-1.example.com", status: null },
  records: [],
  problem: null,
  checkedAt: null,
  nextCheckAt: null,
};

test("what waits for whom is said", () => {
  expect(sesWords(identity, false).meaning).toContain("as soon as that is verified here");
  expect(sesWords(identity, true).meaning).toContain("within a minute");
  const pending = sesWords({ ...identity, dkim: "PENDING" }, true);
  expect(pending).toMatchObject({ tone: "info", state: "Pending" });
  expect(pending.meaning).toContain("which waits here");
});

test("nobody is promised that Amazon is told within a minute where it could not be told", () => {
  for (const kind of sesFaultKinds) {
    const problem = { kind, message: "not authorized" };
    for (const verified of [true, false]) {
      const words = sesWords({ ...identity, problem }, verified);
      expect(words).toMatchObject({ tone: "warning", state: "Not told" });
      expect(words.meaning).not.toMatch(/within a minute|as soon as/);
      expect(words.meaning).toContain("it refuses it, and the mail waits here");
    }
    // What it said before still counts.
    const known = { ...identity, problem, status: "VERIFIED" as const, dkim: "SUCCESS" as const };
    expect(sesWords(known, true).tone).toBe("success");
    expect(isUntold(known)).toBe(false);
  }
});

test("whoever can mend a key is told to", () => {
  const denied = { ...identity, problem: { kind: "denied" as const, message: "no" } };
  expect(remedyOf(denied)).toContain("Whoever runs this installation");
  expect(remedyOf({ ...denied, connectionId: "conn_1" })).toContain("then press Check again");
  for (const kind of sesFaultKinds.filter((other) => other !== "denied"))
    expect(remedyOf({ ...identity, problem: { kind, message: "no" } })).toBeNull();
});

test("a failure names Amazon's own word, also one that we do not know", () => {
  const failed = { ...identity, status: "FAILED" as const, dkim: "FAILED" as const };
  expect(sesWords({ ...failed, error: "TYPE_NOT_FOUND" }, true).meaning).toContain(
    "no TXT record at the DKIM record’s name (TYPE_NOT_FOUND)",
  );
  expect(sesWords({ ...failed, error: "SOMETHING_NEW" }, true).meaning).toContain(
    "it says (SOMETHING_NEW)",
  );
  expect(sesWords(failed, true).meaning).toMatch(/^It could not verify the domain\. /);
});

test("a MAIL FROM that is not found is no danger: mail leaves without", () => {
  const of = (status: SesIdentity["mailFrom"]["status"]) =>
    mailFromWords({ ...identity, mailFrom: { ...identity.mailFrom, status } }).tone;
  expect(of("SUCCESS")).toBe("success");
  expect(of("FAILED")).toBe("warning");
  expect(of("PENDING")).toBe("info");
  expect(of(null)).toBe("neutral");
});
