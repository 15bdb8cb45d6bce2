"use client";

import { MailOpen, Paperclip } from "lucide-react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { LinkButton } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { InboundQuery, InboundSummary } from "@/lib/domain/inbound/schema";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";

/** A page of the mail that came in; its newest page keeps itself up to date. */
export function InboundList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/inbound">;
  query: InboundQuery;
}) {
  const path = useProjectPath();
  const list = useRead(
    "GET /v1/inbound",
    { query },
    { initial, every: query.cursor ? 60_000 : 10_000 },
  );
  return (
    <>
      <OnlyOf query={query} />
      <ListPage
        list={list}
        href={path("inbound")}
        query={query}
        noMatch={{
          title: t("No message matches"),
          hint: t("No address, name or subject here contains these words."),
          showAll: t("Show all messages"),
        }}
        empty={
          <EmptyState
            icon={MailOpen}
            title={t("No mail has come in")}
            action={
              <LinkButton href={path("domains")} variant="primary">
                {t("Choose a domain")}
              </LinkButton>
            }
          >
            {t(
              "Switch on inbound mail on a domain’s page and publish its MX record. Mail to any address of the domain then appears here and is sent to your webhooks.",
            )}
          </EmptyState>
        }
      >
        {(messages) => (
          <Table label={t("Messages")} className="table-fixed">
            <TableHead>
              <HeaderCell className="w-56 max-md:hidden">{t("From")}</HeaderCell>
              <HeaderCell className="max-md:pl-0">{t("Message")}</HeaderCell>
              <HeaderCell className="w-56 max-lg:hidden">{t("To")}</HeaderCell>
              <HeaderCell className="w-28 text-right! sm:w-36">{t("Received")}</HeaderCell>
            </TableHead>
            <tbody>
              {messages.map((message) => (
                <MessageRow key={message.id} message={message} />
              ))}
            </tbody>
          </Table>
        )}
      </ListPage>
    </>
  );
}

/** Says that the list is narrowed where no control shows it: by a link from a contact or an email. */
function OnlyOf({ query: { contactId, emailId } }: { query: InboundQuery }) {
  const path = useProjectPath();
  if (!contactId && !emailId) return null;
  return (
    <p className="mb-4 text-sm text-soft">
      {contactId ? t("Only mail from one contact.") : t("Only answers to one email.")}{" "}
      <Link href={path("inbound")} className="underline underline-offset-4 hover:text-accent-ink">
        {t("Show all messages")}
      </Link>
    </p>
  );
}

function MessageRow({ message }: { message: InboundSummary }) {
  const path = useProjectPath();
  const sender = message.from.name || message.from.email || t("(no sender)");
  return (
    <Row>
      <Cell className="truncate max-md:hidden">{sender}</Cell>
      <Cell className="max-md:pl-0">
        <RowLink href={path(`inbound/${message.id}`)} className="block truncate">
          {message.subject || t("(no subject)")}
        </RowLink>
        <span className="block truncate text-soft md:hidden">{sender}</span>
        <span className="flex items-center gap-2 text-soft">
          <span className="truncate">{message.preview}</span>
          <Marks message={message} />
        </span>
      </Cell>
      <Cell className="truncate text-soft max-lg:hidden">{message.to.join(", ")}</Cell>
      <Cell className="text-right text-soft">
        <RelativeTime value={message.createdAt} />
      </Cell>
    </Row>
  );
}

function Marks({ message }: { message: InboundSummary }) {
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1.5">
      {message.attachmentCount > 0 && (
        <span className="flex items-center text-xs text-faint">
          <Paperclip className="size-3.5" aria-hidden />
          <span className="sr-only">{t("Attachments:")} </span>
          {message.attachmentCount}
        </span>
      )}
      {message.forged && <Badge tone="danger">{t("May be forged")}</Badge>}
      {message.automatic && <Badge>{t("Automatic")}</Badge>}
      {message.emailId && <Badge tone="info">{t("Answer")}</Badge>}
    </span>
  );
}
