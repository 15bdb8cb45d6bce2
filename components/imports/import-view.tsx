"use client";

import { Download, Users, X } from "lucide-react";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { useApi, useInvalidateChanged } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { Button, buttonClass, LinkButton } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Figure } from "@/components/ui/description-list";
import { count, people } from "@/components/ui/numbers";
import { PageHeader, Section } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { ContactImportDetail } from "@/lib/domain/imports/schema";
import { ImportStatus, isRunning } from "./import-status";
import { formatSeconds, paceOf, type Sample } from "./pace";

/** One import: how far it is and how fast, what it did, and the rows that were refused. */
export function ImportView({ initial }: { initial: ContactImportDetail }) {
  const path = useProjectPath();
  const reading = useRead(
    "GET /v1/contacts/imports/{id}",
    { params: { id: initial.id } },
    { initial, every: (seen) => (seen && isRunning(seen) ? 700 : false) },
  );
  const contactImport = reading.data;
  useFreshContacts(isRunning(contactImport));
  return (
    <>
      <PageHeader
        title={contactImport.filename || "Import"}
        back={{ href: path("contacts/import"), label: "Imports" }}
        meta={
          <>
            <ImportStatus status={contactImport.status} />
            <span className="text-sm text-soft">
              <RelativeTime value={contactImport.createdAt} />
            </span>
            <CopyableCode text={contactImport.id} what="import id" />
          </>
        }
        actions={
          isRunning(contactImport) ? (
            <CancelImport contactImport={contactImport} />
          ) : (
            <LinkButton href={path("contacts")} variant="primary">
              <Users aria-hidden /> Show contacts
            </LinkButton>
          )
        }
      />
      <NotUpToDate of={reading}>The import itself continues.</NotUpToDate>
      {contactImport.status === "FAILED" && (
        <div className="mb-5">
          <Callout kind="danger" title={contactImport.failureReason ?? "The import stopped."}>
            Rows imported before that are kept. You can import the file again without creating
            duplicates.
          </Callout>
        </div>
      )}
      {isRunning(contactImport) && (
        <Running contactImport={contactImport} at={reading.dataUpdatedAt} />
      )}
      <dl className="grid grid-cols-2 gap-6 sm:grid-cols-3 lg:grid-cols-5">
        <Figure label="Rows" value={count(contactImport.total)} />
        <Figure label="New" value={count(contactImport.created)} />
        <Figure label="Updated" value={count(contactImport.updated)} />
        <Figure
          label="Duplicates"
          value={count(contactImport.duplicates)}
          note={
            contactImport.duplicates === 0
              ? "every address appears once"
              : "the address appears again further down; the last row counts"
          }
        />
        <Figure
          label="Refused"
          value={count(contactImport.refused)}
          note={
            contactImport.refused === 0 ? "no row was refused" : "listed below, with the reason"
          }
        />
      </dl>
      <Besides contactImport={contactImport} />
      {contactImport.keptUnsubscribed > 0 && (
        <div className="mt-6">
          <Callout
            kind="info"
            title={`${count(contactImport.keptUnsubscribed)} ${contactImport.keptUnsubscribed === 1 ? "person stays" : "people stay"} unsubscribed`}
          >
            The file calls them subscribed, but they have unsubscribed, and a file does not change
            that. If somebody asked to come back, subscribe them on their own page.
          </Callout>
        </div>
      )}
      {contactImport.refused > 0 && <Refused contactImport={contactImport} />}
    </>
  );
}

/** The tags they get and the list they join, where the import has any. */
function Besides({ contactImport }: { contactImport: ContactImportDetail }) {
  const path = useProjectPath();
  const { tags, listId, joined, notJoined } = contactImport;
  if (tags.length === 0 && listId === null) return null;
  return (
    <div className="mt-6 flex flex-col gap-2 text-sm">
      {tags.length > 0 && (
        <p className="flex flex-wrap items-center gap-1.5">
          Everybody imported is tagged
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
      {listId !== null && (
        <p>
          {`${people(joined)} joined `}
          <Link href={path(`lists/${listId}`)} className="font-medium hover:text-accent-ink">
            the list
          </Link>
          {notJoined > 0 &&
            `; ${people(notJoined)} did not: they left it, or unsubscribed from everything`}
          .
        </p>
      )}
    </div>
  );
}

/** Once the import is done, every list of people that is cached is out of date. */
function useFreshContacts(running: boolean): void {
  const invalidateChanged = useInvalidateChanged();
  const was = useRef(running);
  useEffect(() => {
    if (was.current && !running) void invalidateChanged("POST /v1/contacts/import");
    was.current = running;
  });
}

function Running({ contactImport, at }: { contactImport: ContactImportDetail; at: number }) {
  // The first reading on this page: after a reload the pace is measured afresh.
  const [first, setFirst] = useState<Sample | null>(null);
  if (!first && contactImport.status === "RUNNING")
    setFirst({ at, count: contactImport.processed });
  const pace = first && paceOf(first, { at, count: contactImport.processed }, contactImport.total);
  return (
    <div className="mb-8">
      <Progress
        label="Import"
        value={
          contactImport.status === "RUNNING"
            ? contactImport.processed / Math.max(1, contactImport.total)
            : null
        }
      />
      <p className="mt-1.5 text-sm text-soft" aria-live="polite">
        {contactImport.status === "RUNNING"
          ? `${count(contactImport.processed)} of ${count(contactImport.total)} rows`
          : "Starting in a moment."}
        {pace &&
          `, ${count(Math.round(pace.perSecond))} a second, ${formatSeconds(pace.secondsLeft)} left`}
      </p>
      <p className="mt-1 text-xs text-faint">You can close this page. The import continues.</p>
    </div>
  );
}

function Refused({ contactImport }: { contactImport: ContactImportDetail }) {
  const { id: projectId } = useProject();
  return (
    <div className="mt-9">
      <Section
        title="Refused rows"
        description="Correct these rows in the file and import it again. The other rows are not duplicated."
        actions={
          <a
            href={`/api/dashboard/${projectId}/v1/contacts/imports/${contactImport.id}/refused`}
            download="refused.csv"
            className={buttonClass("secondary", "sm")}
          >
            <Download aria-hidden /> Download{" "}
            {contactImport.refused === 1 ? "it" : `all ${count(contactImport.refused)}`}
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
            {contactImport.refusedRows.map((row) => (
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
        {contactImport.refused > contactImport.refusedRows.length && (
          <p className="mt-2 text-xs text-faint">
            These are the first {contactImport.refusedRows.length}. The download has all of them.
          </p>
        )}
      </Section>
    </div>
  );
}

function CancelImport({ contactImport }: { contactImport: ContactImportDetail }) {
  const [open, setOpen] = useState(false);
  const api = useApi();
  if (!useMay("editor")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <X aria-hidden /> Cancel import
      </Button>
      <ConfirmAction
        open={open}
        onClose={() => setOpen(false)}
        title={`Cancel the import of ${contactImport.filename || "this file"}?`}
        action="Cancel import"
        run={() =>
          api("POST /v1/contacts/imports/{id}/cancel", { params: { id: contactImport.id } })
        }
        done="The import was cancelled"
      >
        It stops where it is. The {count(contactImport.processed)} rows imported so far are kept;
        the rest of the file is not imported.
      </ConfirmAction>
    </>
  );
}
