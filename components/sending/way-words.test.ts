import { expect, test } from "vitest";
import { wayWords } from "./way-words";

test("says where mail goes", () => {
  const of = (kind: Parameters<typeof wayWords>[0]["kind"], region: string | null = null) =>
    wayWords({ connectionId: null, kind, region }, null);
  expect(of("smtp")).toBe("Mail goes to a mail server, unless its domain names a connection.");
  expect(of("ses", "eu-west-1")).toContain("to Amazon SES in eu-west-1,");
  expect(of("mailgun", "us")).toContain("to Mailgun,");
  expect(of("mailgun", "eu")).toContain("to Mailgun in the EU,");
  const way = { connectionId: "con_1", kind: "resend", region: null } as const;
  expect(wayWords(way, "Main")).toContain("to Resend, through the connection Main,");
});
