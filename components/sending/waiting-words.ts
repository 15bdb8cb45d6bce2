import { mostCounted, type SendingState } from "@/lib/domain/sending-state/schema";
import { count, counted } from "@/components/ui/numbers";

const waitingCount = (number: number, one: string, many: string) =>
  number >= mostCounted ? `${count(number)} or more ${many}` : counted(number, one, many);

/** How much mail waits, as a sentence. */
export function waitingWords(waiting: SendingState["waiting"]): string {
  const { transactional = 0, campaigns = 0 } = waiting ?? {};
  if (transactional + campaigns === 0) return "Nothing is waiting.";
  const parts = [
    ...(campaigns > 0
      ? [waitingCount(campaigns, "email of a campaign", "emails of campaigns")]
      : []),
    ...(transactional > 0
      ? [waitingCount(transactional, "transactional email", "transactional emails")]
      : []),
  ];
  return `${parts.join(" and ")} ${transactional + campaigns === 1 ? "is" : "are"} waiting.`;
}

/** How many emails wait. */
export const emailsWord = (number: number) => waitingCount(number, "email", "emails");
