import { describe, expect, it } from "vitest";
import type { Connection } from "@/lib/domain/connections/schema";
import { deleteWords } from "./delete-words";

const connection = (given: Partial<Connection>) =>
  ({ id: "con_1", name: "First", domains: [], standard: false, ...given }) as Connection;
const domain = (name: string) => ({ id: `dom_${name}`, name });

describe("deleteWords", () => {
  it("say that a connection stays while domains send through it, and promise nothing else", () => {
    expect(deleteWords(connection({ standard: true, domains: [domain("a.example")] }), [])).toBe(
      "a.example sends through it, so it cannot be deleted yet. Choose another connection for that domain first.",
    );
    const two = connection({ domains: [domain("a.example"), domain("b.example")] });
    expect(deleteWords(two, [])).toMatch(/^a\.example and b\.example send through it, .* those/);
  });

  it("say where mail goes only of the standard one, and who loses a fallback", () => {
    expect(deleteWords(connection({ kind: "mx" }), [])).toBe("No domain sends through it.");
    expect(deleteWords(connection({}), [])).toBe(
      "No domain sends through it. The password is forgotten.",
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
});
