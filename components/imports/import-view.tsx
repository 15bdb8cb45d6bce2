"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Users, X } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { Button, buttonClass, LinkButton } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Figure } from "@/components/ui/facts";
import { PageHeader, Section } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { ContactImportDetail } from "@/lib/domain/imports/schema";
import { ImportStatus, isRunning } from "./import-status";
import { formatSeconds, paceOf, type Sample } from "./pace";

const count = (number: number) => number.toLocaleString("en");

/** One import: how far it is and how fast, what it did, and the rows that were refused. */
export function ImportView({ initial }: { initial: ContactImportDetail }) {
  const { id: projectId } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const query = useQuery({
    queryKey: ["imports", projectId, initial.id],
    queryFn: ({ signal }) =>
      api("GET /v1/contacts/imports/{id}", { params: { id: initial.id } }, { signal }),
    initialData: initial,
    refetchInterval: (current) =>
      current.state.data && isRunning(current.state.data) ? 700 : false,
  });
  const one = query.data;
  return (
    <>
      <PageHeader
        title={one.filename || "Import"}
        back={{ href: path("contacts/import"), label: "Imports" }}
        meta={
          <>
            <ImportStatus status={one.status} />
            <span className="text-sm text-soft">
              <RelativeTime value={one.createdAt} />
            </span>
            <CopyableCode text={one.id} what="import id" />
          </>
        }
        actions={
          isRunning(one) ? (
            <CancelImport one={one} />
          ) : (
            <LinkButton href={path("contacts")} variant="primary">
              <Users aria-hidden /> Show contacts
            </LinkButton>
          )
        }
      />
      <NotUpToDate error={query.error} what="page">
        The import itself goes on.
      </NotUpToDate>
      {one.status === "FAILED" && (
        <div className="mb-5">
          <Callout kind="danger" title={one.failureReason ?? "The import stopped."}>
            What was taken over until then stays. Importing the file again changes nobody twice.
          </Callout>
        </div>
      )}
      {isRunning(one) && <Running one={one} at={query.dataUpdatedAt} />}
      <dl className="grid grid-cols-2 gap-6 sm:grid-cols-4">
        <Figure label="Rows" value={count(one.total)} />
        <Figure label="New" value={count(one.created)} />
        <Figure label="Updated" value={count(one.updated)} />
        <Figure
          label="Refused"
          value={count(one.refused)}
          note={one.refused === 0 ? "every row can be taken over" : "listed below, with the reason"}
        />
      </dl>
      {one.refused > 0 && <Refused one={one} />}
    </>
  );
}

function Running({ one, at }: { one: ContactImportDetail; at: number }) {
  // The first sight of it on this page: after a reload the pace is measured anew.
  const [first, setFirst] = useState<Sample | null>(null);
  if (!first && one.status === "RUNNING") setFirst({ at, count: one.processed });
  const pace = first && paceOf(first, { at, count: one.processed }, one.total);
  return (
    <div className="mb-8">
      <Progress
        label="Import"
        value={one.status === "RUNNING" ? one.processed / Math.max(1, one.total) : null}
      />
      <p className="mt-1.5 text-sm text-soft" aria-live="polite">
        {one.status === "RUNNING"
          ? `${count(one.processed)} of ${count(one.total)} rows`
          : "It starts in a moment."}
        {pace &&
          `, ${count(Math.round(pace.perSecond))} a second, ${formatSeconds(pace.secondsLeft)} left`}
      </p>
      <p className="mt-1 text-xs text-faint">You can close this page: it goes on by itself.</p>
    </div>
  );
}

function Refused({ one }: { one: ContactImportDetail }) {
  const { id: projectId } = useProject();
  return (
    <div className="mt-9">
      <Section
        title="Refused rows"
        description="Correct them in the file and import it again: the others are not doubled."
        actions={
          <a
            href={`/api/dashboard/${projectId}/v1/contacts/imports/${one.id}/refused`}
            download="refused.csv"
            className={buttonClass("secondary", "sm")}
          >
            <Download aria-hidden /> Download all {count(one.refused)}
          </a>
        }
      >
        <Table label="Refused rows" className="table-fixed">
          <TableHead>
            <HeaderCell className="w-16">Line</HeaderCell>
            <HeaderCell className="w-2/5">Email</HeaderCell>
            <HeaderCell>Reason</HeaderCell>
          </TableHead>
          <tbody>
            {one.refusedRows.map((row) => (
              <Row key={row.line}>
                <Cell>{row.line}</Cell>
                <Cell className="wrap-anywhere">
                  {row.email || <span className="text-faint">empty</span>}
                </Cell>
                <Cell className="wrap-anywhere text-soft">{row.reason}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
        {one.refused > one.refusedRows.length && (
          <p className="mt-2 text-xs text-faint">
            The first {one.refusedRows.length}; the file has all of them.
          </p>
        )}
      </Section>
    </div>
  );
}

function CancelImport({ one }: { one: ContactImportDetail }) {
  const { id: projectId } = useProject();
  const [open, setOpen] = useState(false);
  const api = useApi();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => api("POST /v1/contacts/imports/{id}/cancel", { params: { id: one.id } }),
    onSuccess: async () => {
      toast.success("The import is cancelled");
      setOpen(false);
      await queries.invalidateQueries({ queryKey: ["imports", projectId] });
    },
  });
  if (!useMay("editor")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <X aria-hidden /> Cancel import
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Cancel the import of ${one.filename || "this file"}?`}
        action="Cancel import"
        onConfirm={() => cancel.mutate()}
        pending={cancel.isPending}
        error={cancel.isError ? messageOf(cancel.error) : null}
      >
        It stops where it is. The {count(one.processed)} rows that are through stay; the rest of the
        file is not taken over.
      </ConfirmDialog>
    </>
  );
}
