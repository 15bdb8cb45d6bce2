import { describe, expect, it } from "vitest";
import type { Connection } from "@/lib/domain/connections/schema";
import { stateWords, troubleWords } from "./trouble-words";

const connection = (
  kind: Connection["kind"],
  name: Connection["state"]["name"],
  part: { fallbackId?: string; perMinute?: number } = {},
) =>
  ({
    kind,
    fallbackId: part.fallbackId ?? null,
    state: { name, since: null, words: null, perMinute: part.perMinute ?? null },
  }) as Connection;

describe("stateWords", () => {
  it("name what is refused: a login, an API key or an access key", () => {
    expect(stateWords(connection("smtp", "refused"))).toBe("Refuses the login");
    expect(stateWords(connection("resend", "refused"))).toBe("Refuses the API key");
    expect(stateWords(connection("ses", "refused"))).toBe("Refuses the access key");
  });
});

describe("troubleWords", () => {
  it("say nothing of a connection that works", () => {
    expect(troubleWords(connection("smtp", "working"))).toBeNull();
  });

  it("say whether mail waits or leaves through the fallback", () => {
    expect(troubleWords(connection("postmark", "refused"))).toBe(
      "Its mail waits until the API key is corrected.",
    );
    expect(troubleWords(connection("smtp", "unreachable", { fallbackId: "con_2" }))).toMatch(
      / Its mail leaves through the fallback until it answers\.$/,
    );
  });

  it("count what a slow one is given, one email or several", () => {
    expect(troubleWords(connection("smtp", "throttled", { perMinute: 1 }))).toMatch(
      /^It is given about 1 email a minute, .* the rest waits\.$/,
    );
    expect(
      troubleWords(connection("smtp", "throttled", { perMinute: 1_200, fallbackId: "con_2" })),
    ).toMatch(
      /^It is given about 1,200 emails a minute, .* the rest leaves through the fallback\.$/,
    );
  });
});
