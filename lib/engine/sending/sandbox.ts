import { builtInDomain } from "@/lib/domain/sending-domains/built-in";

const parts = ["delivered", "bounced", "deferred", "complained"] as const;

/** What happens to mail that is captured instead of sent. */
export type SandboxPart = (typeof parts)[number];

/**
 * The part that a recipient at `sandbox.test` plays (`bounced+anything@`), whatever key or transport;
 * `delivered` for its other addresses; null for every other domain. A part has the consequences of the real thing: addresses that bounced or complained are suppressed, so tests use a new label each time.
 */
export function sandboxPart(recipient: string): SandboxPart | null {
  const [local = "", domain] = recipient.toLowerCase().split("@");
  if (domain !== builtInDomain) return null;
  const name = local.split("+")[0];
  return parts.find((part) => part === name) ?? "delivered";
}
