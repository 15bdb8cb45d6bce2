import type { Context } from "@/lib/ground/context";
import type { RateRule } from "@/lib/ground/rate-limit";
import type { KeyIdentity } from "./authenticate";

/** The context in which a key acts. */
export function keyContext(identity: KeyIdentity): Omit<Context, "db" | "requestId"> {
  return {
    projectId: identity.projectId,
    actor: { type: "apiKey", id: identity.keyId },
    role: "admin",
    sendingOnly: identity.scope === "sending",
    testMode: identity.mode === "test",
  };
}

/** The limits that a key's use counts against, whichever door it comes through. */
export function keyRates(identity: KeyIdentity): Record<"send" | "api", RateRule> {
  return {
    send: { subject: `send:${identity.keyId}`, limit: identity.sendsPerMinute, windowSeconds: 60 },
    api: {
      subject: `api:${identity.keyId}`,
      limit: identity.requestsPerTenSeconds,
      windowSeconds: 10,
    },
  };
}

/** Failed credentials are counted per address, separately from every key. */
export function deniedRate(address: string): RateRule {
  return { subject: `denied:${address}`, limit: 600, windowSeconds: 60 };
}
