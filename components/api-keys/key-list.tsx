"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, SearchX } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { pageHref } from "@/components/list/use-filters";
import { Button, LinkButton } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Pagination } from "@/components/list/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import { EmptyState } from "@/components/list/empty-state";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
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
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const may = useMay("admin");
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const list = useQuery({
    queryKey: ["api-keys", id, query],
    queryFn: ({ signal }) => api("GET /v1/api-keys", { query }, { signal }),
    initialData: initial,
    refetchInterval: 30_000,
  });
  const { data, nextCursor } = list.data;
  return (
    <>
      <NotUpToDate error={list.error} what="list">
        It is asked for again every few seconds.
      </NotUpToDate>
      {data.length === 0 && (query.search || query.cursor) ? (
        <EmptyState
          icon={SearchX}
          title="No key matches"
          action={<LinkButton href={path("api-keys")}>Show all keys</LinkButton>}
        >
          The project has none of that name.
        </EmptyState>
      ) : data.length === 0 ? (
        <EmptyState icon={KeyRound} title="No key yet" action={<CreateKey />}>
          Programs sign in with an API key, over HTTP and over SMTP. Make one for each program, and
          give it no more than it needs.
        </EmptyState>
      ) : (
        <Table label="API keys">
          <TableHead>
            <HeaderCell>Name</HeaderCell>
            <HeaderCell>Key</HeaderCell>
            <HeaderCell className="max-sm:hidden">May do</HeaderCell>
            <HeaderCell>Last used</HeaderCell>
            <HeaderCell className="max-sm:hidden">Created</HeaderCell>
            {may && (
              <HeaderCell>
                <span className="sr-only">Actions</span>
              </HeaderCell>
            )}
          </TableHead>
          <tbody>
            {data.map((key) => (
              <Row key={key.id}>
                <Cell>
                  <span className="flex items-center gap-2">
                    <span className="font-medium">{key.name}</span>
                    {key.mode === "test" && <Badge tone="info">test</Badge>}
                  </span>
                </Cell>
                <Cell>
                  <code className="font-mono text-xs whitespace-nowrap text-soft">
                    {key.prefix}…{key.last4}
                  </code>
                </Cell>
                <Cell className="whitespace-nowrap text-soft max-sm:hidden">
                  {key.scope === "full" ? "Everything" : "Sending only"}
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
      <Pagination
        firstHref={query.cursor ? pageHref(path("api-keys"), query, null) : null}
        nextHref={
          nextCursor ? `${path("api-keys")}?cursor=${encodeURIComponent(nextCursor)}` : null
        }
      />
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api("DELETE /v1/api-keys/{id}", { params: { id: apiKey.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["api-keys"] });
      toast.success(`“${apiKey.name}” is revoked`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke key"
      onConfirm={() => revoke.mutate()}
      pending={revoke.isPending}
      error={revoke.isError ? messageOf(revoke.error) : null}
    >
      Programs that use {apiKey.prefix}…{apiKey.last4} are refused within a second, everywhere. This
      cannot be undone.{" "}
      {apiKey.lastUsedAt ? (
        <>
          It was last used <RelativeTime value={apiKey.lastUsedAt} />.
        </>
      ) : (
        "It was never used."
      )}
    </ConfirmDialog>
  );
}
