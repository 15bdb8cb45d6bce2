import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { deniedRate } from "@/lib/domain/api-keys/acting";
import { limitCodeAttempts } from "@/lib/domain/users/attempts";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { takeFromRate } from "@/lib/ground/rate-limit";
import { throttleLinks, throttleLinkUse, throttleProvider, throttleSignIn } from "./throttles";

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
  it("allows 10 attempts at an account from one address, even all at once", async () => {
    const attempts = Array.from({ length: 40 }, () =>
      throttleSignIn(test.db, "192.0.2.1", "ada@example.com"),
    );
    expect(await allowed(attempts)).toBe(10);
    await test.travel("16 minutes");
    await throttleSignIn(test.db, "192.0.2.1", "Ada@Example.com ");
  });

  it("keeps the account open to its owner's address while another address is refused", async () => {
    const attempts = Array.from({ length: 40 }, () =>
      throttleSignIn(test.db, "192.0.2.2", "grace@example.com"),
    );
    expect(await allowed(attempts)).toBe(10);
    await throttleSignIn(test.db, "198.51.100.1", "grace@example.com");
  });

  it("limits an account over all addresses, and an address over all accounts", async () => {
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
    const requests = Array.from({ length: 12 }, (_, n) =>
      throttleLinks(test.db, `203.0.113.${n}`, "ada@example.com"),
    );
    expect(await allowed(requests)).toBe(5);
  });

  it("lets a whole company behind one address use its links and provider, and stops endless attempts", async () => {
    const attempts = Array.from({ length: 1_100 }, () => throttleLinkUse(test.db, "192.0.2.9"));
    expect(await allowed(attempts)).toBe(1_000);
    const visits = Array.from({ length: 1_100 }, () => throttleProvider(test.db, "192.0.2.9"));
    expect(await allowed(visits)).toBe(1_000);
  });

  it("counts an IPv6 network as one caller: its 2^64 addresses are one customer's", async () => {
    const address = (n: number) => `2001:db8:7:7:${n.toString(16)}::${n.toString(16)}`;
    const from = (work: (n: number) => Promise<void>, count: number) =>
      allowed(Array.from({ length: count }, (_, n) => work(n)));
    const account = "vera@example.com";
    expect(await from((n) => throttleSignIn(test.db, address(n), account), 40)).toBe(10);
    expect(await from((n) => throttleSignIn(test.db, address(n), `v${n}@example.com`), 80)).toBe(
      10,
    );
    expect(await from((n) => throttleLinks(test.db, address(n)), 40)).toBe(30);
    expect(await from((n) => throttleLinkUse(test.db, address(n)), 1_100)).toBe(1_000);
    const [user, other] = [newUnownedId(), newUnownedId()];
    expect(await from((n) => limitCodeAttempts(test.db, user, address(n)), 20)).toBe(10);
    await limitCodeAttempts(test.db, other, "2001:db8:7:8::1");
    const denied = Array.from({ length: 700 }, (_, n) =>
      takeFromRate(test.db, deniedRate(address(n))),
    );
    expect((await Promise.all(denied)).filter((state) => state.allowed)).toHaveLength(600);
  });
});
