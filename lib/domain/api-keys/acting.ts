import type { Context } from "@/lib/ground/context";
import { callerSubject, type RateRule } from "@/lib/ground/rate-limit";
import {
  defaultRequestsPerTenSeconds,
  defaultSendsPerMinute,
  type KeyIdentity,
} from "./authenticate";

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

/** A project's own limits; null: the product's. */
export interface ProjectLimits {
  sendsPerMinute: number | null;
  requestsPerTenSeconds: number | null;
}

/** The limits that a program's use counts against, however it reaches us. */
export function limitsOf(
  id: string,
  { sendsPerMinute, requestsPerTenSeconds }: ProjectLimits,
): Record<"send" | "api", RateRule> {
  return {
    send: {
      subject: `send:${id}`,
      limit: sendsPerMinute ?? defaultSendsPerMinute,
      windowSeconds: 60,
    },
    api: {
      subject: `api:${id}`,
      limit: requestsPerTenSeconds ?? defaultRequestsPerTenSeconds,
      windowSeconds: 10,
    },
  };
}

/** The limits of a key. */
export function keyRates(identity: KeyIdentity): Record<"send" | "api", RateRule> {
  return limitsOf(identity.keyId, identity);
}

/** Failed credentials are counted per address, separately from every key. */
export function deniedRate(address: string): RateRule {
  return { subject: callerSubject("denied", address), limit: 600, windowSeconds: 60 };
}
