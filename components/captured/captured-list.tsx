"use client";

import { Inbox, Trash2 } from "lucide-react";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { EachActions } from "@/components/list-page/each-actions";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SelectCell, SelectPageCell } from "@/components/list-page/select-cells";
import { useSelection } from "@/components/list-page/use-selection";
import { LinkButton } from "@/components/ui/button";
import { counted, formatBytes } from "@/components/ui/numbers";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer, ApiInput } from "@/lib/doors/http/client";
import type { CapturedSummary } from "@/lib/domain/emails/captured-schema";
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
      {(messages) => <CapturedTable messages={messages} />}
    </ListPage>
  );
}

const nameOf = ({ subject }: CapturedSummary) => subject || t("(no subject)");

function CapturedTable({ messages }: { messages: readonly CapturedSummary[] }) {
  const path = useProjectPath();
  const may = useMay("editor");
  const selection = useSelection(messages, ({ id }) => id);
  return (
    <>
      {may && <DeleteSelected chosen={selection.chosen} onDone={selection.clear} />}
      <Table label={t("Captured messages")} className="table-fixed">
        <TableHead>
          {may && (
            <SelectPageCell
              label={t("Select all messages on this page")}
              wholePage={selection.wholePage}
              some={selection.chosen.length > 0}
              onChange={selection.choosePage}
            />
          )}
          <HeaderCell>{t("Message")}</HeaderCell>
          <HeaderCell className="w-72 max-lg:hidden">{t("To")}</HeaderCell>
          <HeaderCell className="w-20 text-right! max-md:hidden">{t("Size")}</HeaderCell>
          <HeaderCell className="w-28 text-right! sm:w-36">{t("Captured")}</HeaderCell>
        </TableHead>
        <tbody>
          {messages.map((message) => (
            <Row key={message.id}>
              {may && (
                <SelectCell
                  label={t("Select {name}", { name: nameOf(message) })}
                  checked={selection.has(message.id)}
                  onChange={(on) => selection.choose([message.id], on)}
                />
              )}
              <Cell>
                <RowLink href={path(`captured/${message.id}`)} className="block truncate">
                  {nameOf(message)}
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
    </>
  );
}

function DeleteSelected({
  chosen,
  onDone,
}: {
  chosen: readonly CapturedSummary[];
  onDone: () => void;
}) {
  const api = useApi();
  const messages = counted(chosen.length, "message");
  return (
    <EachActions
      label={t("Selected messages")}
      hint={t("Select messages to delete several at once.")}
      chosen={chosen.length}
      actions={[
        {
          label: t("Delete"),
          icon: Trash2,
          things: chosen.map((message) => ({ id: message.id, name: nameOf(message) })),
          title: t("Delete {messages}?", { messages }),
          lost: t(
            "This deletes them for everybody in the project. The email log and its figures stay.",
          ),
          action: t("Delete {messages}", { messages }),
          run: (id) => api("DELETE /v1/captured/{id}", { params: { id } }),
          done: (count) => t("{messages} deleted", { messages: counted(count, "message") }),
        },
      ]}
      onDone={onDone}
    />
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
