import type { Tone } from "@/components/ui/status";
import type { SesIdentity } from "@/lib/domain/sending-domains/schema";
import { phrases, t } from "@/lib/ground/texts/t";

export interface SesWords {
  tone: Extract<Tone, "neutral" | "info" | "success" | "warning" | "danger">;
  /** A word or two. */
  state: string;
  /** What it means for mail. */
  meaning: string;
}

const errors: Record<string, string> = phrases({
  HOST_NOT_FOUND: "it found no name for the DKIM record",
  TYPE_NOT_FOUND: "it found no TXT record at the DKIM record’s name",
  INVALID_VALUE: "it found another value in the DKIM record",
  DNS_SERVER_ERROR: "the domain’s name servers gave it no answer",
  SERVICE_ERROR: "its own service had trouble",
});

const reasonOf = (error: string) => errors[error] ?? t("it says");

/** Whether it was asked to know the domain, and did not come to say how it stands there. */
export const isUntold = ({ dkim, problem }: SesIdentity) => dkim === null && problem !== null;

/** What Amazon SES makes of a domain, for somebody who waits for it; `verified`: the domain is, here. */
export function sesWords(identity: SesIdentity, verified: boolean): SesWords {
  const { status, dkim, error } = identity;
  if (status === "VERIFIED") {
    return { tone: "success", state: t("Verified"), meaning: t("It takes mail from this domain.") };
  }
  if (status === "FAILED") {
    return {
      tone: "danger",
      state: t("Failed"),
      meaning:
        error === null
          ? t(
              "It could not verify the domain. Until it can, it refuses mail from it, which waits here.",
            )
          : t(
              "It could not verify the domain: {reason} ({error}). Until it can, it refuses mail from it, which waits here.",
              { reason: reasonOf(error), error },
            ),
    };
  }
  if (isUntold(identity)) {
    return {
      tone: "warning",
      state: t("Not told"),
      meaning: t(
        "It could not be told of the domain. If you verified it there yourself, it takes its mail all the same; if not, it refuses it, and the mail waits here.",
      ),
    };
  }
  if (dkim === null) {
    return {
      tone: "neutral",
      state: t("Not told yet"),
      meaning: verified
        ? t("It is told of the domain within a minute.")
        : t("It is told of the domain as soon as that is verified here."),
    };
  }
  return {
    tone: "info",
    state: t("Pending"),
    meaning:
      error === null
        ? t(
            "It is looking for the DKIM record. Until it has found it, it refuses mail from the domain, which waits here.",
          )
        : t(
            "It is looking for the DKIM record: {reason} ({error}). Until it has found it, it refuses mail from the domain, which waits here.",
            { reason: reasonOf(error), error },
          ),
  };
}

/** How far the MAIL FROM domain is. */
export function mailFromWords({ mailFrom: { status } }: SesIdentity): Omit<SesWords, "meaning"> {
  switch (status) {
    case "SUCCESS":
      return { tone: "success", state: t("MAIL FROM in use") };
    case "FAILED":
      return { tone: "warning", state: t("MAIL FROM not found") };
    case "TEMPORARY_FAILURE":
      return { tone: "warning", state: t("MAIL FROM not in use for now") };
    case "PENDING":
    case "NOT_STARTED":
      return { tone: "info", state: t("MAIL FROM pending") };
    case null:
      return { tone: "neutral", state: t("MAIL FROM not set yet") };
  }
}

const problems: Record<NonNullable<SesIdentity["problem"]>["kind"], string> = phrases({
  denied: "Amazon does not let this key do it",
  throttled: "Amazon asks for fewer requests",
  unreachable: "Amazon SES gave no answer",
  refused: "Amazon SES refused it",
});

export const problemTitle = ({ kind }: NonNullable<SesIdentity["problem"]>) => problems[kind];

/** What makes it do it after all; null: nothing but time. */
export function remedyOf({ connectionId, problem }: SesIdentity): string | null {
  if (problem?.kind !== "denied") return null;
  return connectionId === null
    ? t("Whoever runs this installation has to correct its key or its rights.")
    : t("Correct the key or its rights in Settings, Sending connections, then press Check again.");
}
