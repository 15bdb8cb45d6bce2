import { CircleCheck, CircleDashed, CircleHelp, CircleX } from "lucide-react";
import { Callout } from "@/components/ui/callout";
import { Status } from "@/components/ui/status";
import type { AuthResult } from "@/db/enums";
import type { InboundEmail } from "@/lib/domain/inbound/schema";
import { t } from "@/lib/ground/texts/t";

const looks: Record<
  AuthResult,
  { tone: "success" | "danger" | "warning" | "neutral"; icon: typeof CircleCheck }
> = {
  pass: { tone: "success", icon: CircleCheck },
  fail: { tone: "danger", icon: CircleX },
  permerror: { tone: "danger", icon: CircleX },
  softfail: { tone: "warning", icon: CircleX },
  policy: { tone: "warning", icon: CircleX },
  temperror: { tone: "warning", icon: CircleHelp },
  neutral: { tone: "neutral", icon: CircleDashed },
  none: { tone: "neutral", icon: CircleDashed },
};

function Result({ result, of }: { result: AuthResult; of?: string | null }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Status {...looks[result]}>{result}</Status>
      {of && <span className="text-soft">{of}</span>}
    </span>
  );
}

/** The results of the checks of a message's origin, as names and values. */
export function originFacts({ checks: { spf, dkim, dmarc, arc } }: InboundEmail) {
  return [
    { label: "SPF", value: <Result result={spf.result} of={spf.domain} /> },
    {
      label: "DKIM",
      value:
        dkim.length === 0 ? (
          <Result result="none" />
        ) : (
          <span className="flex flex-col items-start gap-1">
            {dkim.map(({ result, domain, selector, aligned }, index) => (
              <Result
                key={index}
                result={result}
                of={
                  aligned
                    ? `${selector}._domainkey.${domain}`
                    : t("{name}, another domain than the sender's", {
                        name: `${selector}._domainkey.${domain}`,
                      })
                }
              />
            ))}
          </span>
        ),
    },
    {
      label: "DMARC",
      value: (
        <Result
          result={dmarc.result}
          of={
            dmarc.domain && dmarc.policy
              ? t("{domain}, policy {policy}", { domain: dmarc.domain, policy: dmarc.policy })
              : dmarc.domain
          }
        />
      ),
    },
    ...(arc.result === "none" ? [] : [{ label: "ARC", value: <Result result={arc.result} /> }]),
  ];
}

/** A warning where a message may be forged; nothing where its origin is proven. */
export function OriginNotice({ message }: { message: InboundEmail }) {
  const { dmarc, spf, dkim } = message.checks;
  if (message.authentic) return null;
  if (message.forged) {
    return (
      <Callout kind="danger" title={t("This message may be forged")}>
        {dmarc.domain === null
          ? t(
              "It failed the check of the domain that it names as its sender: be careful with its links and files.",
            )
          : t("It failed the check of {domain}: be careful with its links and files.", {
              domain: dmarc.domain,
            })}
      </Callout>
    );
  }
  const undecided = [dmarc, spf, ...dkim].some(({ result }) => result === "temperror");
  return (
    <Callout kind="info" title={t("The sender's address is not verified")}>
      {undecided
        ? t("The name servers of the sender's domain did not answer when the message came.")
        : t("The sender's domain publishes no DMARC policy, so anybody can write in its name.")}
    </Callout>
  );
}
