import type { RecipientExplanation } from "./schema";

/** Why somebody got a campaign or did not, before it is turned into an answer. */
export interface Reason
  extends
    Pick<RecipientExplanation, "code" | "reason">,
    Partial<Pick<RecipientExplanation, "suppression" | "failedConditions" | "serverReply">> {
  since?: string | Date | null | undefined;
  nextAt?: string | Date | null | undefined;
}
