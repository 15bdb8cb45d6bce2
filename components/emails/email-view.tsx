"use client";

import { useStore } from "@/components/api/use-store";
import type { ReactNode } from "react";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/description-list";
import { Link, textLink } from "@/components/ui/link";
import { count } from "@/components/ui/numbers";
import { PageHeader, Section } from "@/components/ui/page-header";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { EmailRecord } from "@/lib/domain/emails/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { EmailActions } from "./email-actions";
import { EmailMessage } from "./email-message";
import { EmailStatus, sourceWords } from "./email-status";
import { EmailTimeline, ServerWords } from "./email-timeline";
import { outcomeSentence } from "./outcome-sentence";

/** One email: its status and why, what happened, what it says, and everything known about it. */
export function EmailView({
  initial,
  history,
  answers,
}: {
  initial: ApiAnswer<"GET /v1/emails/{id}">;
  /** How long what the page shows is kept; empty: for good. */
  history: string;
  /** What people wrote back. */
  answers: ReactNode;
}) {
  const path = useProjectPath();
  const store = useStore("GET /v1/emails/{id}");
  const input = { params: { id: initial.email.id } };
  const reading = useRead("GET /v1/emails/{id}", input, {
    initial,
    every: (answer) => (answer?.email.status === "PENDING" ? 2_000 : 15_000),
  });
  const { email } = reading.data;
  const show = (changed: EmailRecord) => store(input, { email: changed });
  return (
    <>
      <PageHeader
        title={email.subject || t("(no subject)")}
        back={{ href: path("emails"), label: t("Emails") }}
        meta={
          <>
            <EmailStatus status={email.status} />
            <span className="text-sm text-soft">
              <RelativeTime value={email.createdAt} />
            </span>
            <CopyableCode text={email.id} what={t("email id")} />
          </>
        }
        actions={<EmailActions email={email} onChange={show} />}
      />
      <NotUpToDate of={reading} />
      <Verdict email={email} />
      <div className="mt-8 grid gap-x-10 gap-y-9 lg:grid-cols-2">
        <div>
          <Section title={t("What happened")} description={history}>
            <EmailTimeline events={email.events} />
          </Section>
        </div>
        <div className="grid min-w-0 content-start gap-9">
          <Section title={t("Details")}>
            <Facts items={factsOf(email, path)} />
          </Section>
          {answers}
        </div>
      </div>
      <div className="mt-9">
        <EmailMessage email={email} />
      </div>
    </>
  );
}

const times = (instant: string) => ({
  relative: <RelativeTime value={instant} />,
  exact: <ExactTime value={instant} />,
});

function Verdict({ email }: { email: EmailRecord }) {
  const { kind, title, text, next, reply } = outcomeSentence(email);
  return (
    <Callout kind={kind} title={title}>
      <p>{text}</p>
      {next && (
        <p className="mt-1">
          {email.scheduledAt
            ? rich("It will be sent {relative} ({exact}).", times(next))
            : rich("The next attempt is due {relative} ({exact}).", times(next))}
        </p>
      )}
      {reply && <ServerWords text={reply} />}
    </Callout>
  );
}

/** An id, and the other emails that share it. */
function WithOthers({ id, what, href }: { id: string; what: string; href: string }) {
  return (
    <>
      <CopyableCode text={id} what={what} />{" "}
      <Link href={href} className={textLink}>
        {t("All its emails")}
      </Link>
    </>
  );
}

function factsOf(email: EmailRecord, path: (page?: string) => string) {
  const log = (filter: Record<string, string>) =>
    path(`emails?${new URLSearchParams(filter).toString()}`);
  const { contact, template, campaignId, metadata } = email;
  const from = email.fromName ? `${email.fromName} <${email.from}>` : email.from;
  return [
    {
      label: t("To"),
      value: contact ? (
        <Link href={path(`contacts/${contact.id}`)} className={textLink}>
          {contact.email}
        </Link>
      ) : (
        t("Not a contact")
      ),
    },
    ...(contact
      ? [{ label: t("Contact"), value: <CopyableCode text={contact.id} what={t("contact id")} /> }]
      : []),
    { label: t("From"), value: from },
    ...(email.subject
      ? [
          {
            label: t("Subject"),
            value: (
              <Link href={log({ subject: email.subject })} className={textLink}>
                {t("All emails with this subject")}
              </Link>
            ),
          },
        ]
      : []),
    { label: t("Source"), value: sourceWords[email.source] },
    { label: t("Opens"), value: count(email.opens) },
    { label: t("Clicks"), value: count(email.clicks) },
    {
      label: "Message-ID",
      value: <CopyableCode text={email.messageId} what="Message-ID" />,
    },
    ...(template
      ? [
          {
            label: t("Template"),
            value: (
              <WithOthers
                id={template.id}
                what={t("template id")}
                href={log({ templateId: template.id })}
              />
            ),
          },
        ]
      : []),
    ...(campaignId
      ? [
          {
            label: t("Campaign"),
            value: (
              <WithOthers id={campaignId} what={t("campaign id")} href={log({ campaignId })} />
            ),
          },
        ]
      : []),
    ...Object.entries(metadata).map(([name, value]) => ({
      label: `metadata.${name}`,
      value: <code className="font-mono text-xs">{value}</code>,
    })),
  ];
}
