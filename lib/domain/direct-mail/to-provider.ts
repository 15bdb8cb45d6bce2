import type { ProviderTransport } from "@/lib/mail/providers/provider-transport";
import type { Outcome } from "@/lib/mail/transport";
import type { FinishedMail } from "./to-receiver";

/** A failure as nodemailer tells it, so that one rule decides what is tried again. */
function faultOf(outcome: Exclude<Outcome, { kind: "accepted" }>): Error {
  switch (outcome.kind) {
    case "refused": {
      const { reply, stage } = outcome;
      const command = { sender: "MAIL FROM", recipient: "RCPT TO", message: "DATA" }[stage];
      return Object.assign(new Error(reply.text), { command, responseCode: reply.code });
    }
    case "lost":
    case "unavailable": {
      // A key is mended by people; what may have been taken is not sent a second time.
      const final = outcome.kind === "lost" ? outcome.written : outcome.loginRefused === true;
      return Object.assign(new Error(outcome.reason), { code: final ? "EAUTH" : "ECONNECTION" });
    }
    case "withheld":
    case "later":
      return new Error("The mail was kept back.");
  }
}

/** Hands one mail to the installation's provider and ends the connection. Throws what it said. */
export async function sendToProvider(
  provider: ProviderTransport,
  { envelope, raw }: FinishedMail,
): Promise<void> {
  try {
    const mayStart = () => Promise.resolve(true);
    const outcome = await provider.deliver(envelope, raw, { lane: "transactional", mayStart });
    if (outcome.kind !== "accepted") throw faultOf(outcome);
  } finally {
    provider.close();
  }
}
