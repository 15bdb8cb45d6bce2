"use client";

import { Send } from "lucide-react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { LinkButton } from "@/components/ui/button";
import { count } from "@/components/ui/numbers";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { LogQuery } from "@/lib/domain/emails/log-schema";
import type { EmailSummary } from "@/lib/domain/emails/schema";
import { rich } from "@/components/ui/rich";
import { phrases, t } from "@/lib/ground/texts/t";
import { EmailStatus, sourceWords } from "./email-status";
import { SearchOn } from "./search-on";

const noMatch = phrases({
  title: "No email matches",
  hint: "No email matches all of these filters. Dates are whole days in UTC.",
  showAll: "Show all emails",
});

/** A page of the log; the newest page keeps itself up to date. */
export function EmailList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/emails">;
  query: LogQuery;
}) {
  const path = useProjectPath();
  const list = useRead(
    "GET /v1/emails",
    { query },
    { initial, every: query.cursor ? 60_000 : 5_000 },
  );
  const { data, nextCursor, searchedTo } = list.data;
  if (data.length === 0 && nextCursor && searchedTo) {
    return (
      <SearchOn
        href={path("emails")}
        query={query}
        from={{ cursor: nextCursor, searchedTo }}
        noMatch={noMatch}
      />
    );
  }
  return (
    <ListPage
      list={list}
      href={path("emails")}
      query={query}
      noMatch={noMatch}
      empty={
        <EmptyState
          icon={Send}
          title={t("No emails yet")}
          action={
            <>
              <LinkButton href={path()} variant="primary">
                {t("Send your first email")}
              </LinkButton>
              <LinkButton href={path("api-keys")}>{t("API keys")}</LinkButton>
            </>
          }
        >
          {t(
            "Everything you send, over HTTP or SMTP, appears here a moment later: one row per recipient, with everything that happened to it.",
          )}
        </EmptyState>
      }
    >
      {(emails) => (
        <>
          <Table label={t("Emails")} className="table-fixed">
            <TableHead>
              <HeaderCell>{t("Recipient and subject")}</HeaderCell>
              <HeaderCell className="w-28 sm:w-32">{t("Status")}</HeaderCell>
              <HeaderCell className="w-32 max-md:hidden">{t("Source")}</HeaderCell>
              <HeaderCell className="w-20 text-right! max-lg:hidden">{t("Opens")}</HeaderCell>
              <HeaderCell className="w-20 text-right! max-lg:hidden">{t("Clicks")}</HeaderCell>
              <HeaderCell className="w-36 text-right! max-sm:hidden">{t("Accepted")}</HeaderCell>
            </TableHead>
            <tbody>
              {emails.map((email) => (
                <EmailRow key={email.id} email={email} href={path(`emails/${email.id}`)} />
              ))}
            </tbody>
          </Table>
          {searchedTo && (
            <p className="mt-3 text-sm text-soft">
              {rich("Searched back to {time}. “Older” goes on searching.", {
                time: <ExactTime value={searchedTo} />,
              })}
            </p>
          )}
        </>
      )}
    </ListPage>
  );
}

function EmailRow({ email, href }: { email: EmailSummary; href: string }) {
  const countOrDash = (number: number) =>
    number > 0 ? count(number) : <span className="text-faint">–</span>;
  return (
    <Row>
      <Cell>
        <RowLink href={href} className="block truncate">
          {email.contact?.email ?? <span className="text-faint italic">{t("not a contact")}</span>}
        </RowLink>
        <span className="block truncate text-soft">{email.subject || t("(no subject)")}</span>
      </Cell>
      <Cell>
        <EmailStatus status={email.status} />
        <span className="mt-0.5 block text-xs text-faint sm:hidden">
          <RelativeTime value={email.createdAt} />
        </span>
      </Cell>
      <Cell className="text-soft max-md:hidden">{sourceWords[email.source]}</Cell>
      <Cell className="text-right max-lg:hidden">{countOrDash(email.opens)}</Cell>
      <Cell className="text-right max-lg:hidden">{countOrDash(email.clicks)}</Cell>
      <Cell className="text-right text-soft max-sm:hidden">
        <RelativeTime value={email.createdAt} />
      </Cell>
    </Row>
  );
}
