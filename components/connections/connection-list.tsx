"use client";

import { Plus, Server } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useAction } from "@/components/form/use-action";
import { EmptyState } from "@/components/list-page/empty-state";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Badge } from "@/components/ui/status";
import { toast } from "@/components/ui/toast";
import { useNewDialog } from "@/components/ui/use-new-dialog";
import type {
  Connection,
  ConnectionList as Connections,
  ConnectionTest,
} from "@/lib/domain/connections/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { EditConnection, NewConnection } from "./connection-form";
import { ConnectionState } from "./connection-state";
import { ConnectionWebhook } from "./connection-webhook";
import { placeOf } from "./connection-kinds";
import { deleteWords, whyKept } from "./delete-words";

/** The project's own mail servers: the state of each, a test, and the domains that use it. */
export function ConnectionList({
  initial,
  mx,
}: {
  initial: Connections;
  /** Whether the operator lets projects send straight to receivers. */
  mx: boolean;
}) {
  const { capturing } = useProject();
  const may = useMay("admin");
  const path = useProjectPath();
  const reading = useRead("GET /v1/connections", {}, { initial, every: 10_000 });
  const [adding, setAdding] = useNewDialog();
  const connections = reading.data.data;
  const add = may && (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> {t("Add a connection")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("Sending connections")}
        description={t(
          "Mail servers and providers of your own for sending this project’s mail. Without one, it goes out through this installation’s server.",
        )}
        back={{ href: path("settings"), label: t("Settings") }}
        actions={connections.length > 0 && add}
      />
      <div className="mb-7 flex flex-col gap-5 empty:hidden">
        <NotUpToDate of={reading} />
        {capturing && connections.length > 0 && (
          <Callout kind="info" title={t("Mail of this installation is captured")}>
            {t(
              "You can test connections now. They carry mail once MAIL_TRANSPORT names a mail server.",
            )}
          </Callout>
        )}
      </div>
      {connections.length === 0 ? (
        <EmptyState icon={Server} title={t("No connections yet")} action={add}>
          {t(
            "With a mail server or provider of your own, trouble with the installation’s server never holds your mail up. Add a second one, and it can take over when the first is down.",
          )}
        </EmptyState>
      ) : (
        <ul aria-label={t("Sending connections")} className="max-w-4xl divide-y border-y">
          {connections.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              others={connections.filter(({ id }) => id !== connection.id)}
              may={may}
            />
          ))}
        </ul>
      )}
      {may && adding && (
        <NewConnection others={connections} mx={mx} onClose={() => setAdding(false)} />
      )}
    </>
  );
}

function ConnectionRow({
  connection,
  others,
  may,
}: {
  connection: Connection;
  others: readonly Connection[];
  may: boolean;
}) {
  const [editing, setEditing] = useState(false);
  const [tested, setTested] = useState<ConnectionTest | null>(null);
  const { name, standard, fallbackId } = connection;
  const fallback = others.find(({ id }) => id === fallbackId);
  return (
    <li className="flex flex-col gap-4 py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 max-sm:basis-full">
          <h2 className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
            {name} {standard && <Badge>{t("Standard")}</Badge>}
          </h2>
          <p className="text-sm text-soft wrap-anywhere">
            {fallback
              ? t("{place}, then {fallback}", {
                  place: placeOf(connection),
                  fallback: fallback.name,
                })
              : placeOf(connection)}
          </p>
          <UsedBy connection={connection} />
        </div>
        {may && (
          <div className="flex flex-wrap gap-2">
            <Test connection={connection} onTested={setTested} />
            <Button
              size="sm"
              aria-label={t("Edit {name}", { name })}
              onClick={() => setEditing(true)}
            >
              {t("Edit")}
            </Button>
            <Delete connection={connection} others={others} />
          </div>
        )}
      </div>
      {!(tested?.ok === false && connection.state.name === "working") && (
        <ConnectionState connection={connection} />
      )}
      {tested && (
        <Callout
          alert
          kind={tested.ok ? "success" : "danger"}
          title={tested.ok ? t("{name} takes mail", { name }) : t("{name} takes no mail", { name })}
        >
          <p className="mt-1 font-mono text-xs wrap-anywhere whitespace-pre-line">{tested.words}</p>
        </Callout>
      )}
      {connection.kind !== "smtp" && connection.kind !== "mx" && (
        <ConnectionWebhook connection={connection} />
      )}
      {editing && (
        <EditConnection
          connection={connection}
          others={others}
          onClose={() => {
            setEditing(false);
            setTested(null);
          }}
        />
      )}
    </li>
  );
}

function UsedBy({ connection: { domains, standard } }: { connection: Connection }) {
  const path = useProjectPath();
  if (domains.length === 0) {
    return (
      <p className="text-sm text-faint">
        {standard ? t("Used by all domains that name no other") : t("Used by no domain")}
      </p>
    );
  }
  return (
    <p className="text-sm text-soft">
      {rich("Used by {domains}", {
        domains: domains.map(({ id, name }, index) => (
          <span key={id}>
            {index > 0 && ", "}
            <Link href={path(`domains/${id}`)} className="wrap-anywhere underline">
              {name}
            </Link>
          </span>
        )),
      })}
    </p>
  );
}

/** The answer stays on the page: it can take a while to read. */
function Test({
  connection,
  onTested,
}: {
  connection: Connection;
  onTested: (test: ConnectionTest | null) => void;
}) {
  const api = useApi();
  const test = useAction({
    mutationFn: () => {
      onTested(null);
      return api("POST /v1/connections/{id}/test", { params: { id: connection.id } });
    },
    onSuccess: onTested,
    onError: (error) => toast.error(t("It was not tested"), { description: messageOf(error) }),
  });
  return (
    <Button
      size="sm"
      aria-label={t("Test {name}", { name: connection.name })}
      pending={test.isPending}
      onClick={() => test.mutate()}
    >
      {t("Test")}
    </Button>
  );
}

function Delete({ connection, others }: { connection: Connection; others: readonly Connection[] }) {
  const api = useApi();
  const [asking, setAsking] = useState(false);
  const kept = whyKept(connection);
  return (
    <>
      <Button
        size="sm"
        aria-label={t("Delete {name}", { name: connection.name })}
        onClick={() => setAsking(true)}
      >
        {t("Delete")}
      </Button>
      {kept === null ? (
        <ConfirmAction
          open={asking}
          onClose={() => setAsking(false)}
          title={t("Delete “{name}”?", { name: connection.name })}
          action={t("Delete connection")}
          run={() => api("DELETE /v1/connections/{id}", { params: { id: connection.id } })}
          done={t("Connection deleted")}
        >
          {deleteWords(connection, others)}
        </ConfirmAction>
      ) : (
        <Dialog
          open={asking}
          onOpenChange={setAsking}
          title={t("“{name}” is still in use", { name: connection.name })}
          description={kept}
          footer={<Button onClick={() => setAsking(false)}>{t("Close")}</Button>}
        />
      )}
    </>
  );
}
