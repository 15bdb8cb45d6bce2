"use client";

import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { EmailStatus } from "@/components/emails/email-status";
import { MessageTabs } from "@/components/message-viewer/message-tabs";
import { DeleteThing } from "@/components/shell/delete-button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/description-list";
import { Link, textLink } from "@/components/ui/link";
import { PageHeader, Section } from "@/components/ui/page-header";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { DeliveryStatus } from "@/components/webhooks/webhook-status";
import type { InboundEmail } from "@/lib/domain/inbound/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { OriginNotice, originFacts } from "./origin";
import { Reply } from "./reply";

function mailbox({ email, name }: { email: string; name: string }): string {
  return name ? `${name} <${email}>` : email || t("(unknown)");
}

/** A message that came in as a mail program shows it, where it comes from, and where it went. */
export function InboundView({ initial }: { initial: InboundEmail }) {
  const { id: projectId } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const may = useMay("editor");
  const reading = useRead(
    "GET /v1/inbound/{id}",
    { params: { id: initial.id } },
    { initial, every: 30_000 },
  );
  const message = reading.data;
  const files = `/api/dashboard/${projectId}/v1/inbound/${message.id}`;
  return (
    <>
      <PageHeader
        title={message.subject || t("(no subject)")}
        back={{ href: path("inbound"), label: t("Inbound") }}
        meta={
          <>
            {message.automatic && <Badge>{t("Automatic")}</Badge>}
            <span className="text-sm text-soft">
              <RelativeTime value={message.createdAt} />
            </span>
            <CopyableCode text={message.id} what={t("message id")} />
          </>
        }
        actions={
          may && (
            <>
              <DeleteThing
                kind="message"
                name={message.subject || t("(no subject)")}
                list="inbound"
                remove={() => api("DELETE /v1/inbound/{id}", { params: { id: message.id } })}
              >
                {t(
                  "The message and its files are deleted for good, and links to the files stop working.",
                )}
              </DeleteThing>
              <Reply message={message} />
            </>
          )
        }
      />
      <NotUpToDate of={reading} />
      <div className="mb-6 empty:hidden">
        <OriginNotice message={message} />
      </div>
      {message.automatic && (
        <div className="mb-6">
          <Callout kind="info">
            {t(
              "This message was sent automatically. It cannot be answered from here: automatic replies could go round in circles.",
            )}
          </Callout>
        </div>
      )}
      <div className="mb-8 grid gap-x-10 gap-y-9 lg:grid-cols-2">
        <div className="min-w-0">
          <Facts items={addressFacts(message, path)} />
        </div>
        <div className="min-w-0">
          <Facts items={originFacts(message)} />
          <WhereItWent message={message} />
        </div>
      </div>
      <MessageTabs
        message={message}
        attachmentHref={(position) => `${files}/attachment?position=${position}`}
        documentHref={`${files}/document`}
        received
      />
      <Replies message={message} />
    </>
  );
}

function addressFacts(message: InboundEmail, path: (page?: string) => string) {
  const { from, to, contact, emailId, replyTo, createdAt } = message;
  return [
    { label: t("From"), value: mailbox(from) },
    { label: t("To"), value: to.join(", ") },
    ...(replyTo.length > 0
      ? [{ label: t("Reply to"), value: replyTo.map(mailbox).join(", ") }]
      : []),
    ...(contact
      ? [
          {
            label: t("Contact"),
            value: (
              <Link href={path(`contacts/${contact.id}`)} className={textLink}>
                {contact.email}
              </Link>
            ),
          },
        ]
      : []),
    ...(emailId
      ? [
          {
            label: t("Answers"),
            value: (
              <Link href={path(`emails/${emailId}`)} className={textLink}>
                {t("an email of yours")}
              </Link>
            ),
          },
        ]
      : []),
    { label: t("Received"), value: <ExactTime value={createdAt} /> },
  ];
}

function WhereItWent({ message: { deliveries, routes } }: { message: InboundEmail }) {
  const path = useProjectPath();
  return (
    <div className="mt-4 border-t pt-3 text-sm">
      <h2 className="eyebrow mb-1.5">{t("Where it went")}</h2>
      {deliveries.length === 0 ? (
        <p className="text-soft">
          {routes.length > 0
            ? t("The webhook of its route is switched off.")
            : t("No webhook listens to email.received.")}
        </p>
      ) : (
        <ul className="flex flex-col gap-1.5">
          {deliveries.map(({ id, webhookId, url, status }) => (
            <li key={id} className="flex items-center gap-2">
              <DeliveryStatus status={status} />
              <Link href={path(`webhooks/${webhookId}`)} className={`${textLink} truncate`}>
                {url}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {routes.length > 0 && (
        <p className="mt-2 text-soft">
          {rich("{count, plural, one {By the route} other {By the routes}} {routes}", {
            count: routes.length,
            routes: <span className="font-mono text-xs wrap-anywhere">{routes.join(", ")}</span>,
          })}
        </p>
      )}
    </div>
  );
}

function Replies({ message: { replies } }: { message: InboundEmail }) {
  const path = useProjectPath();
  if (replies.length === 0) return null;
  return (
    <div className="mt-9">
      <Section title={t("Replies")}>
        <ul>
          {replies.map(({ emailId, status, createdAt }) => (
            <li
              key={emailId}
              className="flex items-center gap-3 border-b py-2 text-sm last:border-b-0"
            >
              <EmailStatus status={status} />
              <Link href={path(`emails/${emailId}`)} className={textLink}>
                {rich("Sent {time}", { time: <RelativeTime value={createdAt} /> })}
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
