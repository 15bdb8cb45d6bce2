"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { Assistant } from "@/lib/domain/assistants/schema";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { scopeWords } from "./scopes";

/** The assistants that were given access. Each can be disconnected. */
export function AssistantList({ initial }: { initial: ApiAnswer<"GET /v1/assistants"> }) {
  const [ending, setEnding] = useState<Assistant | null>(null);
  const list = useRead("GET /v1/assistants", {}, { initial, every: 30_000 });
  const { data: connected } = list.data;
  return (
    <Section
      title={t("Connected")}
      description={t(
        "The assistants you allowed in. They act in your name, with no more than your role allows. One that is not used for 30 days has to ask again.",
      )}
    >
      <NotUpToDate of={list} />
      {connected.length === 0 ? (
        <p className="border-y py-6 text-sm text-soft">{t("No assistant is connected yet.")}</p>
      ) : (
        <Table label={t("Connected assistants")}>
          <TableHead>
            <HeaderCell>{t("Assistant")}</HeaderCell>
            <HeaderCell className="max-sm:hidden">{t("For")}</HeaderCell>
            <HeaderCell className="max-sm:hidden">{t("Access")}</HeaderCell>
            <HeaderCell>{t("Last used")}</HeaderCell>
            <HeaderCell className="max-sm:hidden">{t("Connected")}</HeaderCell>
            <HeaderCell>
              <span className="sr-only">{t("Actions")}</span>
            </HeaderCell>
          </TableHead>
          <tbody>
            {connected.map((assistant) => (
              <Row key={assistant.id}>
                <Cell>
                  <span className="block font-medium wrap-anywhere">{assistant.name}</span>
                  <span className="block font-mono text-xs wrap-anywhere text-soft">
                    {assistant.host}
                  </span>
                </Cell>
                <Cell className="text-soft wrap-anywhere max-sm:hidden">
                  {assistant.own ? t("You") : assistant.person}
                </Cell>
                <Cell className="whitespace-nowrap text-soft max-sm:hidden">
                  {scopeWords[assistant.scope].short}
                </Cell>
                <Cell className="text-soft">
                  <RelativeTime value={assistant.lastUsedAt} />
                </Cell>
                <Cell className="text-soft max-sm:hidden">
                  <RelativeTime value={assistant.createdAt} />
                </Cell>
                <Cell className="text-right">
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={t("Disconnect {name}", { name: assistant.name })}
                    onClick={() => setEnding(assistant)}
                  >
                    {t("Disconnect")}
                  </Button>
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {ending && <Disconnect assistant={ending} onClose={() => setEnding(null)} />}
    </Section>
  );
}

function Disconnect({ assistant, onClose }: { assistant: Assistant; onClose: () => void }) {
  const api = useApi();
  return (
    <ConfirmAction
      onClose={onClose}
      title={t("Disconnect “{name}”?", { name: assistant.name })}
      action={t("Disconnect")}
      run={() => api("DELETE /v1/assistants/{id}", { params: { id: assistant.id } })}
      done={t("“{name}” was disconnected", { name: assistant.name })}
    >
      {assistant.own
        ? t("It is refused from its next request on, and has to ask you again. What it did stays.")
        : t(
            "It is refused from its next request on, and has to ask {person} again. What it did stays.",
            { person: assistant.person },
          )}
    </ConfirmAction>
  );
}
