import { expect, test } from "vitest";
import { tlsWords } from "./tls-words";

const words = (reports: number, successful: number, failed: number) =>
  tlsWords({
    ...{ reports, successful, failed, days: [], failures: [] },
    record: { name: "_smtp._tls.example.com", value: "v=TLSRPTv1" },
  });

test("tlsWords: counts sessions and reports, one or several", () => {
  expect(words(3, 98, 2)).toBe(
    "According to 3 reports, 2 of 100 sessions were not encrypted as your policy asks.",
  );
  // As a share it would be rounded to all of them.
  expect(words(1, 99_999, 1)).toContain(" 1 of 100,000 sessions was not encrypted ");
  expect(words(1, 1, 0)).toBe(
    "According to 1 report, the only session was encrypted as your policy asks.",
  );
  expect(words(2, 1_200, 0)).toBe(
    "According to 2 reports, all 1,200 sessions were encrypted as your policy asks.",
  );
});

test("tlsWords: reports without sessions claim no share", () => {
  expect(words(1, 0, 0)).toBe("According to 1 report, nobody has tried to send mail here.");
});
