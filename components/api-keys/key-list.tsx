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
          title: "No key matches",
          hint: "This project has no key by that name.",
          showAll: "Show all keys",
        }}
        empty={
          <EmptyState icon={KeyRound} title="No API keys yet" action={<CreateKey />}>
            Programs sign in with an API key, over HTTP and over SMTP. Create one for each program,
            and give it no more access than it needs.
          </EmptyState>
        }
      >
        {(keys) => (
          <Table label="API keys">
            <TableHead>
              <HeaderCell>Name</HeaderCell>
              <HeaderCell className="max-sm:hidden">Key</HeaderCell>
              <HeaderCell className="max-sm:hidden">Access</HeaderCell>
              <HeaderCell>Last used</HeaderCell>
              <HeaderCell className="max-sm:hidden">Created</HeaderCell>
              {may && (
                <HeaderCell>
                  <span className="sr-only">Actions</span>
                </HeaderCell>
              )}
            </TableHead>
            <tbody>
              {keys.map((key) => (
                <Row key={key.id}>
                  <Cell>
                    <span className="flex items-center gap-2">
                      <span className="font-medium">{key.name}</span>
                      {key.mode === "test" && <Badge tone="info">test</Badge>}
                    </span>
                    <KeyHint apiKey={key} className="mt-0.5 sm:hidden" />
                  </Cell>
                  <Cell className="max-sm:hidden">
                    <KeyHint apiKey={key} />
                  </Cell>
                  <Cell className="whitespace-nowrap text-soft max-sm:hidden">
                    {key.scope === "full" ? "Full" : "Sending only"}
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
                        aria-label={`Revoke ${key.name}`}
                        onClick={() => setRevoking(key)}
                      >
                        Revoke
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
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke key"
      run={() => api("DELETE /v1/api-keys/{id}", { params: { id: apiKey.id } })}
      done={`“${apiKey.name}” was revoked`}
    >
      Programs that use {apiKey.prefix}…{apiKey.last4} will be refused within a second. You cannot
      undo this.{" "}
      {apiKey.lastUsedAt ? (
        <>
          The key was last used <RelativeTime value={apiKey.lastUsedAt} />.
        </>
      ) : (
        "The key was never used."
      )}
    </ConfirmAction>
  );
}
