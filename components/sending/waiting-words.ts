import type { SendingState } from "@/lib/domain/sending-state/schema";
import { mostCounted } from "@/lib/domain/sending-state/terms";
import { count, counted } from "@/components/ui/numbers";
import { listFormat } from "@/lib/ground/texts/formats";
import { t } from "@/lib/ground/texts/t";

const campaignEmails = (number: number) =>
  number >= mostCounted
    ? t("{count} or more emails of campaigns", { count: count(number) })
    : counted(number, "email of a campaign", "emails of campaigns");

const transactionalEmails = (number: number) =>
  number >= mostCounted
    ? t("{count} or more transactional emails", { count: count(number) })
    : counted(number, "transactional email");

/** How much mail waits, as a sentence. */
export function waitingWords(waiting: SendingState["waiting"]): string {
  const { transactional = 0, campaigns = 0 } = waiting ?? {};
  if (transactional + campaigns === 0) return t("Nothing is waiting.");
  const emails = [
    ...(campaigns > 0 ? [campaignEmails(campaigns)] : []),
    ...(transactional > 0 ? [transactionalEmails(transactional)] : []),
  ];
  return t("{count, plural, one {{emails} is waiting.} other {{emails} are waiting.}}", {
    count: transactional + campaigns,
    emails: listFormat().format(emails),
  });
}

/** How many emails wait. */
export const emailsWord = (number: number) =>
  number >= mostCounted
    ? t("{count} or more emails", { count: count(number) })
    : counted(number, "email");
