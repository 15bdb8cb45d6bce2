"use client";

import { CircleAlert, CircleCheck, CircleDashed, CircleX, Clock } from "lucide-react";
import { Callout } from "@/components/ui/callout";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Status } from "@/components/ui/status";
import type { ConnectionList } from "@/lib/domain/connections/schema";
import type { Domain, SesIdentity } from "@/lib/domain/sending-domains/schema";
import { rich } from "@/components/ui/rich";
import { phrases, t } from "@/lib/ground/texts/t";
import { RecordSheet } from "./record-card";
import { mailFromWords, problemTitle, remedyOf, sesWords, type SesWords } from "./ses-words";

const icons = {
  neutral: CircleDashed,
  info: Clock,
  success: CircleCheck,
  warning: CircleAlert,
  danger: CircleX,
} as const;

function State({ tone, state }: Pick<SesWords, "tone" | "state">) {
  return (
    <Status tone={tone} icon={icons[tone]}>
      {state}
    </Status>
  );
}

const recordWords = phrases({
  MX: {
    title: "MAIL FROM",
    why: "Brings bounces to Amazon SES, which reports them. It has to be the only MX record of this name.",
  },
  TXT: {
    title: "MAIL FROM SPF",
    why: "Lets Amazon SES send with this return path, so that SPF proves mail to be yours as well.",
  },
});

function Identity({
  identity,
  account,
  verified,
}: {
  identity: SesIdentity;
  account: string;
  verified: boolean;
}) {
  const { region, problem, records, checkedAt, nextCheckAt } = identity;
  const { meaning, ...words } = sesWords(identity, verified);
  return (
    <div className="mt-5 border-t pt-5 first:mt-4 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold">{account}</h3>
        <span className="font-mono text-xs text-faint">{region}</span>
        <State {...words} />
        <State {...mailFromWords(identity)} />
      </div>
      <p className="mt-1.5 max-w-2xl text-sm text-soft">
        {meaning}
        {checkedAt && !problem && (
          <> {rich("Last asked {when}.", { when: <RelativeTime value={checkedAt} /> })}</>
        )}
      </p>
      {problem && (
        <div className="mt-4">
          <Callout kind="warning" title={problemTitle(problem)}>
            <p className="font-mono text-xs leading-4.5 wrap-anywhere">{problem.message}</p>
            <p className="mt-1">
              {remedyOf(identity) ??
                (nextCheckAt
                  ? rich("It is asked again {when}.", {
                      when: <RelativeTime value={nextCheckAt} />,
                    })
                  : t("It is asked again by itself."))}
            </p>
          </Callout>
        </div>
      )}
      <ul className="mt-5">
        {records.map((record) => (
          <RecordSheet key={record.type} record={record} {...recordWords[record.type]} />
        ))}
      </ul>
    </div>
  );
}

/** What Amazon SES makes of a domain, where its mail leaves through it. */
export function DomainSes({
  domain: { ses, status },
  connections,
}: {
  domain: Domain;
  connections: ConnectionList;
}) {
  if (ses.length === 0) return null;
  const nameOf = (id: string | null) =>
    id === null
      ? t("The installation’s account")
      : (connections.data.find((connection) => connection.id === id)?.name ?? t("Connection"));
  return (
    <Section
      title="Amazon SES"
      description={t(
        "Mail from this domain leaves through Amazon SES, which signs with the key of the DKIM record above. The records here give it a return path of your own; without them, mail leaves with one of Amazon’s.",
      )}
    >
      {ses.map((identity) => (
        <Identity
          key={`${identity.connectionId} ${identity.region}`}
          identity={identity}
          account={nameOf(identity.connectionId)}
          verified={status === "VERIFIED"}
        />
      ))}
    </Section>
  );
}
