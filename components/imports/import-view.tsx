"use client";

import { Users, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { useApi, useInvalidateChanged } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { Button, LinkButton } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { ExportLink } from "@/components/exports/export-link";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Figure } from "@/components/ui/description-list";
import { Link } from "@/components/ui/link";
import { count } from "@/components/ui/numbers";
import { PageHeader, Section } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { ContactImportDetail } from "@/lib/domain/imports/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
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
        title={contactImport.filename || t("Import")}
        back={{ href: path("contacts/import"), label: t("Imports") }}
        meta={
          <>
            <ImportStatus status={contactImport.status} />
            <span className="text-sm text-soft">
              <RelativeTime value={contactImport.createdAt} />
            </span>
            <CopyableCode text={contactImport.id} what={t("import id")} />
          </>
        }
        actions={
          isRunning(contactImport) ? (
            <CancelImport contactImport={contactImport} />
          ) : (
            <LinkButton href={path("contacts")} variant="primary">
              <Users aria-hidden /> {t("Show contacts")}
            </LinkButton>
          )
        }
      />
      <NotUpToDate of={reading}>{t("The import itself continues.")}</NotUpToDate>
      {contactImport.status === "FAILED" && (
        <div className="mb-5">
          <Callout kind="danger" title={contactImport.failureReason ?? t("The import stopped.")}>
            {t(
              "Rows imported before that are kept. You can import the file again without creating duplicates.",
            )}
          </Callout>
        </div>
      )}
      {isRunning(contactImport) && (
        <Running contactImport={contactImport} at={reading.dataUpdatedAt} />
      )}
      <dl className="grid grid-cols-2 gap-6 sm:grid-cols-3 lg:grid-cols-5">
        <Figure label={t("Rows")} value={count(contactImport.total)} />
        <Figure label={t("New")} value={count(contactImport.created)} />
        <Figure label={t("Updated")} value={count(contactImport.updated)} />
        <Figure
          label={t("Duplicates")}
          value={count(contactImport.duplicates)}
          note={
            contactImport.duplicates === 0
              ? t("every address appears once")
              : t("the address appears again further down; the last row counts")
          }
        />
        <Figure
          label={t("Refused")}
          value={count(contactImport.refused)}
          note={
            contactImport.refused === 0
              ? t("no row was refused")
              : t("listed below, with the reason")
          }
        />
      </dl>
      <Besides contactImport={contactImport} />
      {contactImport.keptUnsubscribed > 0 && (
        <div className="mt-6">
          <Callout
            kind="info"
            title={t(
              "{count, plural, one {# person stays unsubscribed} other {# people stay unsubscribed}}",
              { count: contactImport.keptUnsubscribed },
            )}
          >
            {t(
              "The file calls them subscribed, but they have unsubscribed, and a file does not change that. If somebody asked to come back, subscribe them on their own page.",
            )}
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
          {t("Everybody imported is tagged")}
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
      {listId !== null && (
        <p>
          {rich(
            "{joined, plural, one {# person} other {# people}} joined <link>the list</link>{notJoined, plural, =0 {} one {; # person did not: they left it, or unsubscribed from everything} other {; # people did not: they left it, or unsubscribed from everything}}.",
            {
              joined,
              notJoined,
              link: (words) => (
                <Link href={path(`lists/${listId}`)} className="font-medium hover:text-accent-ink">
                  {words}
                </Link>
              ),
            },
          )}
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
  const rows = { processed: count(contactImport.processed), total: count(contactImport.total) };
  return (
    <div className="mb-8">
      <Progress
        label={t("Import")}
        value={
          contactImport.status === "RUNNING"
            ? contactImport.processed / Math.max(1, contactImport.total)
            : null
        }
      />
      <p className="mt-1.5 text-sm text-soft" aria-live="polite">
        {contactImport.status !== "RUNNING"
          ? t("Starting in a moment.")
          : pace
            ? t("{processed} of {total} rows, {pace} a second, {timeLeft} left", {
                ...rows,
                pace: count(Math.round(pace.perSecond)),
                timeLeft: formatSeconds(pace.secondsLeft),
              })
            : t("{processed} of {total} rows", rows)}
      </p>
      <p className="mt-1 text-xs text-faint">
        {t("You can close this page. The import continues.")}
      </p>
    </div>
  );
}

function Refused({ contactImport }: { contactImport: ContactImportDetail }) {
  return (
    <div className="mt-9">
      <Section
        title={t("Refused rows")}
        description={t(
          "Correct these rows in the file and import it again. The other rows are not duplicated.",
        )}
        actions={
          <ExportLink
            path={`/v1/contacts/imports/${contactImport.id}/refused`}
            filename="refused.csv"
            size="sm"
          >
            {t("{count, plural, one {Download it} other {Download all #}}", {
              count: contactImport.refused,
            })}
          </ExportLink>
        }
      >
        <Table label={t("Refused rows")} className="table-fixed">
          <TableHead>
            <HeaderCell className="w-16">{t("Line")}</HeaderCell>
            <HeaderCell className="w-2/5">{t("Email")}</HeaderCell>
            <HeaderCell>{t("Reason")}</HeaderCell>
          </TableHead>
          <tbody>
            {contactImport.refusedRows.map((row) => (
              <Row key={row.line}>
                <Cell>{row.line}</Cell>
                <Cell className="wrap-anywhere">
                  {row.email || <span className="text-faint">{t("empty")}</span>}
                </Cell>
                <Cell className="wrap-anywhere text-soft">{row.reason}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
        {contactImport.refused > contactImport.refusedRows.length && (
          <p className="mt-2 text-xs text-faint">
            {t("These are the first {count}. The download has all of them.", {
              count: contactImport.refusedRows.length,
            })}
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
        <X aria-hidden /> {t("Cancel import")}
      </Button>
      <ConfirmAction
        open={open}
        onClose={() => setOpen(false)}
        title={
          contactImport.filename
            ? t("Cancel the import of {file}?", { file: contactImport.filename })
            : t("Cancel the import of this file?")
        }
        action={t("Cancel import")}
        dismiss={t("Let it go on")}
        run={() =>
          api("POST /v1/contacts/imports/{id}/cancel", { params: { id: contactImport.id } })
        }
        done={t("The import was cancelled")}
      >
        {t(
          "It stops where it is. The {processed} rows imported so far are kept; the rest of the file is not imported.",
          { processed: count(contactImport.processed) },
        )}
      </ConfirmAction>
    </>
  );
}
