import { CopyButton } from "@/components/ui/copy-button";
import { Badge } from "@/components/ui/status";
import type { DomainRecord } from "@/lib/domain/sending-domains/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { RecordStatus } from "./domain-status";

const words: Record<DomainRecord["purpose"], { title: string; why: string }> = phrases({
  DKIM: {
    title: "DKIM",
    why: "The public half of the key that signs your mail. Receivers use it to check the signature.",
  },
  SPF: {
    title: "SPF",
    why: "Says which servers may send mail with your return path.",
  },
  RETURN_PATH: {
    title: "Return path",
    why: "Receives bounces, so that dead addresses are found and no longer written to.",
  },
  INBOUND: {
    title: "Inbound mail",
    why: "Brings mail for this domain here. Publish it only if no other mailboxes of the domain need its mail.",
  },
  DMARC: {
    title: "DMARC",
    why: "Tells receivers what to do with mail that fails SPF and DKIM, and where to report who sends in your name. Any policy will do, including one on a parent domain.",
  },
  TRACKING: {
    title: "Links",
    why: "Lets the links in your mail lead to your own name instead of this server’s.",
  },
  TLS_RPT: {
    title: "TLS reports",
    why: "Asks those who send mail to this domain to report how its encryption fares.",
  },
});

function Line({ label, text, what }: { label: string; text: string; what: string }) {
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)_2rem] items-start gap-x-2 border-b py-1.5 last:border-b-0">
      <dt className="pt-1.5 text-xs text-faint">{label}</dt>
      <dd className="py-1.5 font-mono text-xs leading-4.5 wrap-anywhere">{text}</dd>
      <dd>
        <CopyButton text={text} what={what} />
      </dd>
    </div>
  );
}

type AnyRecord = Omit<DomainRecord, "purpose">;

function Found({ record }: { record: AnyRecord }) {
  if (!record.problem) return null;
  return (
    <div className="mt-3 border-l-4 border-rule-strong pl-3 text-sm">
      <p>{record.problem.message}</p>
      {record.found.length > 0 && (
        <>
          <p className="eyebrow mt-2">
            {record.problem.kind === "unreachable"
              ? t("Found before that")
              : t("Currently published")}
          </p>
          <ul className="mt-0.5 flex flex-col gap-1">
            {record.found.map((value, index) => (
              <li key={index} className="font-mono text-xs leading-4.5 wrap-anywhere text-soft">
                {value}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** One of a domain's records. */
export function RecordCard({ record }: { record: DomainRecord }) {
  return <RecordSheet record={record} {...words[record.purpose]} />;
}

/** One record to publish: what it is for, what to enter where, and what DNS says. */
export function RecordSheet({
  record,
  title,
  why,
}: {
  record: AnyRecord;
  title: string;
  why: string;
}) {
  return (
    <li className="grid gap-x-8 gap-y-3 border-b py-5 first:pt-0 last:border-b-0 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div>
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="font-semibold">{title}</h3>
          <RecordStatus record={record} />
          {!record.required && <Badge>{t("recommended")}</Badge>}
        </div>
        <p className="mt-1.5 text-sm text-soft">{why}</p>
      </div>
      <div className="min-w-0">
        <dl className="rounded-md border border-rule bg-sheet px-3">
          <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-center gap-x-2 border-b py-2.5">
            <dt className="text-xs text-faint">{t("Type")}</dt>
            <dd className="font-mono text-xs">
              {record.type}
              {record.priority !== undefined && (
                <span className="text-faint">
                  {" · "}
                  {t("priority {priority}", { priority: record.priority })}
                </span>
              )}
            </dd>
          </div>
          <Line label={t("Name")} text={record.name} what={t("{title} name", { title })} />
          <Line label={t("Value")} text={record.value} what={t("{title} value", { title })} />
        </dl>
        <Found record={record} />
      </div>
    </li>
  );
}
