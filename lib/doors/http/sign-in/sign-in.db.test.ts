import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { throttleLinks, throttleLinkUse, throttleSignIn } from "./sign-in";

const test = useTestDatabase();

async function allowed(attempts: Promise<void>[]): Promise<number> {
  const results = await Promise.allSettled(attempts);
  for (const result of results) {
    if (result.status === "rejected") {
      expect(result.reason).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    }
  }
  return results.filter(({ status }) => status === "fulfilled").length;
}

describe("throttling of sign-in", () => {
  it("gives one address 10 tries at an account, however they arrive", async () => {
    const tries = Array.from({ length: 40 }, () =>
      throttleSignIn(test.db, "192.0.2.1", "ada@example.com"),
    );
    expect(await allowed(tries)).toBe(10);
    await test.travel("16 minutes");
    await throttleSignIn(test.db, "192.0.2.1", "Ada@Example.com ");
  });

  it("leaves the account open to its owner's address while another one is refused", async () => {
    const tries = Array.from({ length: 40 }, () =>
      throttleSignIn(test.db, "192.0.2.2", "grace@example.com"),
    );
    expect(await allowed(tries)).toBe(10);
    await throttleSignIn(test.db, "198.51.100.1", "grace@example.com");
  });

  it("bounds an account over all addresses, and an address over all accounts", async () => {
    const spread = Array.from({ length: 150 }, (_, n) =>
      throttleSignIn(test.db, `203.0.113.${n}`, "joan@example.com"),
    );
    expect(await allowed(spread)).toBe(100);
    const spray = Array.from({ length: 80 }, (_, n) =>
      throttleSignIn(test.db, "192.0.2.3", `user${n}@example.com`),
    );
    expect(await allowed(spray)).toBe(50);
  });

  it("mails one account five links in a quarter of an hour", async () => {
    const asked = Array.from({ length: 12 }, (_, n) =>
      throttleLinks(test.db, `203.0.113.${n}`, "ada@example.com"),
    );
    expect(await allowed(asked)).toBe(5);
  });

  it("leaves a company behind one address its links, and bounds who tries without end", async () => {
    const tries = Array.from({ length: 1_100 }, () => throttleLinkUse(test.db, "192.0.2.9"));
    expect(await allowed(tries)).toBe(1_000);
  });
});
