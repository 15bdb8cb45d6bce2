import type { Dmarc, DmarcSource } from "./schema";
import { amount } from "@/lib/ground/amount";
import { t } from "@/lib/ground/texts/t";

type Advice = Dmarc["advice"][number];

const mostNamed = 3;
/** Share of all mail that may fail: forwarding alone breaks some signatures. */
const tolerated = 0.01;
/** Days with mail before a stricter policy is advised. */
const enoughDays = 7;

function onSource(domain: string, source: DmarcSource): Advice {
  const failed = source.messages - source.aligned;
  const name = source.sender ?? source.name;
  const who = name ? `${source.address} (${name})` : source.address;
  if (source.ours) {
    return {
      code: "ours_unaligned",
      message: t(
        "{failed, plural, one {# mail} other {# mails}} of this installation ({address}) arrived without your signature. Check that the DKIM record is published as shown above.",
        { failed, address: source.address },
      ),
    };
  }
  return {
    code: "unaligned_source",
    message: t(
      "{who} sent {failed, plural, one {# mail} other {# mails}} in your name without your signature. If it is yours, have it sign with DKIM for {domain} before you make the policy stricter. If not, a stricter policy keeps its mail from being delivered.",
      { who, failed, domain },
    ),
  };
}

/** How much is aligned, where that is enough. */
function alignedWords({ messages, aligned }: Dmarc["totals"]): string {
  return aligned === messages
    ? t("Everything is aligned")
    : t(
        "All but {failed} of {messages, plural, one {# mail} other {# mails}} are aligned (forwarding alone breaks some)",
        { failed: amount(messages - aligned), messages },
      );
}

function onPolicy({ totals, reporting: { policy }, days }: Omit<Dmarc, "advice">): Advice {
  const all = alignedWords(totals);
  const mailDays = days.filter((day) => day.aligned > 0).length;
  if (policy === "reject") {
    const message = t("{all}, and your policy is the strictest: nothing to do.", { all });
    return { code: "well", message };
  }
  if (mailDays < enoughDays) {
    return {
      code: "wait",
      message: t(
        "{all} so far. Wait for {days} days of reports before you make the policy stricter.",
        { all, days: enoughDays },
      ),
    };
  }
  return policy === "quarantine"
    ? { code: "go_to_reject", message: t("{all}: you can go to p=reject.", { all }) }
    : { code: "go_to_quarantine", message: t("{all}: you can go to p=quarantine.", { all }) };
}

/** What a domain's owner may do, the most urgent first. */
export function adviceOf(domain: string, seen: Omit<Dmarc, "advice">): Advice[] {
  const { totals, sources, reporting } = seen;
  const advice: Advice[] = [];
  if (!reporting.published) {
    advice.push({
      code: "not_published",
      message: t("Receivers do not know where to report to yet: publish the record at {name}.", {
        name: reporting.record.name,
      }),
    });
  }
  if (totals.messages === 0) {
    if (reporting.published) {
      advice.push({
        code: "no_reports",
        message: t(
          "The record is right. Receivers report once a day about the day before, so the first reports take one or two days.",
        ),
      });
    }
    return advice;
  }
  const failed = totals.messages - totals.aligned;
  if (failed <= totals.messages * tolerated) {
    return [...advice, onPolicy(seen)];
  }
  const failing = sources
    .filter((source) => source.messages > source.aligned)
    .toSorted(
      (left, right) =>
        Number(right.ours) - Number(left.ours) ||
        right.messages - right.aligned - (left.messages - left.aligned),
    );
  return [...advice, ...failing.slice(0, mostNamed).map((source) => onSource(domain, source))];
}
