"use client";

import clsx from "clsx";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { Button } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { ApiKey, ApiKeyQuery } from "@/lib/domain/api-keys/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { CreateKey } from "./create-key";

/** A page of the project's keys. */
export function KeyList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/api-keys">;
  query: ApiKeyQuery;
}) {
  const path = useProjectPath();
  const may = useMay("admin");
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const list = useRead("GET /v1/api-keys", { query }, { initial, every: 30_000 });
  return (
    <>
      <ListPage
        list={list}
        href={path("api-keys")}
        query={query}
        noMatch={{
          title: t("No key matches"),
          hint: t("This project has no key by that name."),
          showAll: t("Show all keys"),
        }}
        empty={
          <EmptyState icon={KeyRound} title={t("No API keys yet")} action={<CreateKey again />}>
            {t(
              "Programs sign in with an API key, over HTTP and over SMTP. Create one for each program, and give it no more access than it needs.",
            )}
          </EmptyState>
        }
      >
        {(keys) => (
          <Table label={t("API keys")}>
            <TableHead>
              <HeaderCell>{t("Name")}</HeaderCell>
              <HeaderCell className="max-sm:hidden">{t("Key")}</HeaderCell>
              <HeaderCell className="max-sm:hidden">{t("Access")}</HeaderCell>
              <HeaderCell>{t("Last used")}</HeaderCell>
              <HeaderCell className="max-sm:hidden">{t("Created")}</HeaderCell>
              {may && (
                <HeaderCell>
                  <span className="sr-only">{t("Actions")}</span>
                </HeaderCell>
              )}
            </TableHead>
            <tbody>
              {keys.map((key) => (
                <Row key={key.id}>
                  <Cell>
                    <span className="flex items-center gap-2">
                      <span className="font-medium">{key.name}</span>
                      {key.mode === "test" && <Badge tone="info">{t("test")}</Badge>}
                    </span>
                    <KeyHint apiKey={key} className="mt-0.5 sm:hidden" />
                  </Cell>
                  <Cell className="max-sm:hidden">
                    <KeyHint apiKey={key} />
                  </Cell>
                  <Cell className="whitespace-nowrap text-soft max-sm:hidden">
                    {key.scope === "full" ? t("Full") : t("Sending only")}
                  </Cell>
                  <Cell className="text-soft">
                    <RelativeTime value={key.lastUsedAt} />
                  </Cell>
                  <Cell className="text-soft max-sm:hidden">
                    <RelativeTime value={key.createdAt} />
                  </Cell>
                  {may && (
                    <Cell className="text-right">
                      <Button
                        size="sm"
                        variant="ghost"
                        aria-label={t("Revoke {name}", { name: key.name })}
                        onClick={() => setRevoking(key)}
                      >
                        {t("Revoke")}
                      </Button>
                    </Cell>
                  )}
                </Row>
              ))}
            </tbody>
          </Table>
        )}
      </ListPage>
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

/** How the key begins and ends, which tells it apart from others. */
function KeyHint({ apiKey, className }: { apiKey: ApiKey; className?: string }) {
  return (
    <code className={clsx("block font-mono text-xs whitespace-nowrap text-soft", className)}>
      {apiKey.prefix}…{apiKey.last4}
    </code>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const api = useApi();
  return (
    <ConfirmAction
      onClose={onClose}
      title={t("Revoke “{name}”?", { name: apiKey.name })}
      action={t("Revoke key")}
      run={() => api("DELETE /v1/api-keys/{id}", { params: { id: apiKey.id } })}
      done={t("“{name}” was revoked", { name: apiKey.name })}
    >
      {t("Programs that use {key} will be refused within a second. You cannot undo this.", {
        key: `${apiKey.prefix}…${apiKey.last4}`,
      })}{" "}
      {apiKey.lastUsedAt
        ? rich("The key was last used {time}.", {
            time: <RelativeTime value={apiKey.lastUsedAt} />,
          })
        : t("The key was never used.")}
    </ConfirmAction>
  );
}
