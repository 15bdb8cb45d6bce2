import { commonProviderOf } from "@/lib/domain/receivers/providers";
import { metrics } from "@/lib/ground/metrics/metrics";
import { domainOf } from "@/lib/mail/address";
import type { DeliveryResult } from "./result";

function transportWord({ captured, transport }: DeliveryResult): string {
  // What could not be made, for example, was handed to nobody.
  return captured ? "capture" : (transport ?? "none");
}

function resultWord({ status }: DeliveryResult): string {
  if (status === null) return "deferred";
  return status === "BOUNCED" || status === "FAILED" ? status.toLowerCase() : "sent";
}

/** Adds what was recorded of attempts to the process's figures, told by transport and receiving provider. */
export function countAttempts(results: readonly DeliveryResult[]): void {
  for (const result of results) {
    metrics.attempts.inc({
      transport: transportWord(result),
      provider: commonProviderOf(domainOf(result.email.recipient)),
      result: resultWord(result),
    });
  }
}
