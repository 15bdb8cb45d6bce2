"use client";

import { Inbox } from "lucide-react";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { LinkButton } from "@/components/ui/button";
import { formatBytes } from "@/components/ui/numbers";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer, ApiInput } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";

type CapturedQuery = NonNullable<ApiInput<"GET /v1/captured">["query"]>;

/** A page of the captured mailbox; its newest page keeps itself up to date. */
export function CapturedList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/captured">;
  query: CapturedQuery;
}) {
  const path = useProjectPath();
  const list = useRead(
    "GET /v1/captured",
    { query },
    { initial, every: query.cursor ? 60_000 : 5_000 },
  );
  return (
    <ListPage
      list={list}
      href={path("captured")}
      query={query}
      noMatch={{
        title: t("No message matches"),
        hint: t("No address or subject contains these words."),
        showAll: t("Show all messages"),
      }}
      empty={<NothingCaptured />}
    >
      {(messages) => (
        <Table label={t("Captured messages")} className="table-fixed">
          <TableHead>
            <HeaderCell>{t("Message")}</HeaderCell>
            <HeaderCell className="w-72 max-lg:hidden">{t("To")}</HeaderCell>
            <HeaderCell className="w-20 text-right! max-md:hidden">{t("Size")}</HeaderCell>
            <HeaderCell className="w-28 text-right! sm:w-36">{t("Captured")}</HeaderCell>
          </TableHead>
          <tbody>
            {messages.map((message) => (
              <Row key={message.id}>
                <Cell>
                  <RowLink href={path(`captured/${message.id}`)} className="block truncate">
                    {message.subject || t("(no subject)")}
                  </RowLink>
                  <span className="block truncate text-soft max-lg:hidden">
                    {message.from.name || message.from.email}
                  </span>
                  <span className="block truncate text-soft lg:hidden">
                    {t("to {to}", { to: message.to })}
                  </span>
                </Cell>
                <Cell className="truncate text-soft max-lg:hidden">{message.to}</Cell>
                <Cell className="text-right text-soft max-md:hidden">
                  {formatBytes(message.size)}
                </Cell>
                <Cell className="text-right text-soft">
                  <RelativeTime value={message.createdAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
    </ListPage>
  );
}

function NothingCaptured() {
  const { capturing } = useProject();
  const path = useProjectPath();
  return (
    <EmptyState
      icon={Inbox}
      title={t("Nothing captured yet")}
      action={
        <>
          <LinkButton href={path()} variant="primary">
            {t("Send your first email")}
          </LinkButton>
          <LinkButton href={path("api-keys")}>{t("API keys")}</LinkButton>
        </>
      }
    >
      {capturing
        ? t(
            "No mail leaves this installation. All of it ends up here, exactly as the recipient would have received it.",
          )
        : t(
            "Mail sent with a test key, or from or to sandbox.test, ends up here instead of in a real mailbox.",
          )}
    </EmptyState>
  );
}
