"use client";

import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { pageHref } from "@/components/list-page/filters";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { LinkButton } from "@/components/ui/button";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";

/** Mail that a person wrote, or replies to an email; nothing where there is none. */
export function ReceivedMail({
  title,
  of,
  initial,
}: {
  title: string;
  of: { contactId: string } | { emailId: string };
  initial: ApiAnswer<"GET /v1/inbound">;
}) {
  const path = useProjectPath();
  const list = useRead(
    "GET /v1/inbound",
    { query: { ...of, limit: 20 } },
    { initial, every: 30_000 },
  );
  const messages = list.data.data;
  if (messages.length === 0) return null;
  return (
    <Section
      title={title}
      actions={
        list.data.nextCursor !== undefined && (
          <LinkButton href={pageHref(path("inbound"), of)} size="sm">
            {t("Show all")}
          </LinkButton>
        )
      }
    >
      <NotUpToDate of={list} title={t("This list is out of date")} />
      <Table label={title} className="table-fixed">
        <TableHead>
          <HeaderCell>{t("Message")}</HeaderCell>
          <HeaderCell className="w-28 text-right!">{t("Received")}</HeaderCell>
        </TableHead>
        <tbody>
          {messages.map(({ id, subject, preview, createdAt }) => (
            <Row key={id}>
              <Cell>
                <RowLink href={path(`inbound/${id}`)} className="block truncate">
                  {subject || t("(no subject)")}
                </RowLink>
                <span className="block truncate text-soft">{preview}</span>
              </Cell>
              <Cell className="text-right text-soft">
                <RelativeTime value={createdAt} />
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
