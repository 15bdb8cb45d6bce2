import { mostCounted, type SendingState } from "@/lib/domain/sending-state/schema";

function amount(count: number, one: string, many: string): string {
  const shown = count.toLocaleString("en");
  if (count >= mostCounted) return `${shown} or more ${many}`;
  return `${shown} ${count === 1 ? one : many}`;
}

/** How much mail waits, as a sentence. */
export function waitingWords(waiting: SendingState["waiting"]): string {
  const { transactional = 0, campaigns = 0 } = waiting ?? {};
  if (transactional + campaigns === 0) return "Nothing is waiting.";
  const parts = [
    ...(campaigns > 0 ? [amount(campaigns, "email of a campaign", "emails of campaigns")] : []),
    ...(transactional > 0
      ? [amount(transactional, "transactional email", "transactional emails")]
      : []),
  ];
  return `${parts.join(" and ")} ${transactional + campaigns === 1 ? "is" : "are"} waiting.`;
}

/** How many emails wait. */
export const emailsWord = (count: number) => amount(count, "email", "emails");
