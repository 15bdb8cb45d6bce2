import { describe, expect, it } from "vitest";
import type { Connection } from "@/lib/domain/connections/schema";
import { deleteWords, whyKept } from "./delete-words";

const connection = (part: Partial<Connection>) =>
  ({
    ...{ id: "con_1", name: "First", kind: "smtp", user: "mail", domains: [], standard: false },
    ...part,
  }) as Connection;
const domain = (name: string) => ({ id: `dom_${name}`, name });

describe("whyKept", () => {
  it("says that a connection stays while domains send through it", () => {
    expect(whyKept(connection({}))).toBeNull();
    expect(whyKept(connection({ standard: true, domains: [domain("a.example")] }))).toBe(
      "a.example sends through it. Choose another connection for that domain first.",
    );
    const two = connection({ domains: [domain("a.example"), domain("b.example")] });
    expect(whyKept(two)).toMatch(/^a\.example and b\.example send through it\. .* those/);
  });
});

describe("deleteWords", () => {
  it("say where mail goes only of the standard one, and who loses a fallback", () => {
    expect(deleteWords(connection({}), [])).toBe(
      "No domain sends through it. Its password is forgotten.",
    );
    expect(deleteWords(connection({ standard: true }), [])).toMatch(
      /^Mail of domains that name no connection, .* this installation’s server instead\./,
    );
    const others = [
      connection({ id: "con_2", name: "Second", fallbackId: "con_1" }),
      connection({ id: "con_3", name: "Third", fallbackId: "con_2" }),
    ];
    expect(deleteWords(connection({}), others)).toContain(" Second loses its fallback. ");
  });

  it("name the secret that the connection has, and none where there is none", () => {
    expect(deleteWords(connection({ kind: "mx" }), [])).toBe("No domain sends through it.");
    expect(deleteWords(connection({ user: null }), [])).toBe("No domain sends through it.");
    expect(deleteWords(connection({ kind: "resend" }), [])).toContain("Its API key is forgotten.");
    expect(deleteWords(connection({ kind: "ses" }), [])).toContain("Its access key is forgotten.");
  });
});
