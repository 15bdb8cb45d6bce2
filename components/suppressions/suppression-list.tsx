"use client";

import clsx from "clsx";
import { ShieldOff, ShieldX } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { EachActions } from "@/components/list-page/each-actions";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SelectCell, SelectPageCell } from "@/components/list-page/select-cells";
import { useSelection } from "@/components/list-page/use-selection";
import { Button } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Link } from "@/components/ui/link";
import { counted } from "@/components/ui/numbers";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Suppression, SuppressionQuery } from "@/lib/domain/suppressions/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { AddSuppression } from "./add-suppression";
import { suppressionColumns, type SuppressionColumn } from "./columns";
import { reasonTones, reasonWords } from "./reasons";
import { sourceWords } from "./source-words";

/** A page of the addresses nothing is sent to. */
export function SuppressionList({
  initial,
  query,
  columns,
}: {
  initial: ApiAnswer<"GET /v1/suppressions">;
  query: SuppressionQuery;
  /** What the reader wants to see beside an address. */
  columns: readonly SuppressionColumn[];
}) {
  const path = useProjectPath();
  const [lifting, setLifting] = useState<Suppression | null>(null);
  const list = useRead(
    "GET /v1/suppressions",
    { query },
    { initial, every: query.cursor ? false : 30_000 },
  );
  return (
    <>
      <ListPage
        list={list}
        href={path("suppressions")}
        query={query}
        noMatch={{
          title: t("No suppression matches"),
          hint: t(
            "No suppressed address or domain contains this text and has this reason. Search for a whole address to see whether its domain is suppressed.",
          ),
          showAll: t("Show all suppressions"),
        }}
        empty={
          <EmptyState
            icon={ShieldX}
            title={t("Nobody is suppressed")}
            action={<AddSuppression again />}
          >
            {t(
              "Addresses that bounce for good and people who report spam appear here by themselves, so that nothing more is sent to them.",
            )}
          </EmptyState>
        }
      >
        {(suppressions) => (
          <SuppressionTable suppressions={suppressions} columns={columns} onLift={setLifting} />
        )}
      </ListPage>
      {lifting && <LiftDialog suppression={lifting} onClose={() => setLifting(null)} />}
    </>
  );
}

function SuppressionTable({
  suppressions,
  columns,
  onLift,
}: {
  suppressions: readonly Suppression[];
  columns: readonly SuppressionColumn[];
  onLift: (suppression: Suppression) => void;
}) {
  const may = useMay("editor");
  const selection = useSelection(suppressions, ({ email }) => email);
  return (
    <>
      {may && <LiftSelected chosen={selection.chosen} onDone={selection.clear} />}
      <Table label={t("Suppressions")} className="table-fixed">
        <TableHead>
          {may && (
            <SelectPageCell
              label={t("Select all suppressions on this page")}
              wholePage={selection.wholePage}
              some={selection.chosen.length > 0}
              onChange={selection.choosePage}
            />
          )}
          <HeaderCell>{t("Address or domain")}</HeaderCell>
          {columns.map((column) => (
            <HeaderCell key={column} className={looks[column]}>
              {suppressionColumns.words[column]}
            </HeaderCell>
          ))}
          {may && (
            <HeaderCell className="w-24">
              <span className="sr-only">{t("Actions")}</span>
            </HeaderCell>
          )}
        </TableHead>
        <tbody>
          {suppressions.map((suppression) => (
            <SuppressionRow
              key={suppression.email}
              suppression={suppression}
              columns={columns}
              select={
                may && (
                  <SelectCell
                    label={t("Select {name}", { name: suppression.email })}
                    checked={selection.has(suppression.email)}
                    onChange={(on) => selection.choose([suppression.email], on)}
                  />
                )
              }
              onLift={may ? () => onLift(suppression) : null}
            />
          ))}
        </tbody>
      </Table>
    </>
  );
}

function LiftSelected({ chosen, onDone }: { chosen: readonly Suppression[]; onDone: () => void }) {
  const api = useApi();
  const subjects = counted(chosen.length, "suppression");
  const complained = chosen.filter(({ reason }) => reason === "complaint").length;
  const bounced = chosen.filter(({ reason }) => reason === "hard_bounce").length;
  return (
    <EachActions
      label={t("Selected suppressions")}
      hint={t("Select suppressions to lift several at once.")}
      chosen={chosen.length}
      actions={[
        {
          label: t("Lift"),
          icon: ShieldOff,
          things: chosen.map(({ email }) => ({ id: email, name: email })),
          title: t("Lift {suppressions}?", { suppressions: subjects }),
          lost: [
            bounced > 0 &&
              t(
                "Mail to {count, number} of them came back for good. If that is still so, the next bounces again, and bounces harm your reputation as a sender.",
                { count: bounced },
              ),
            complained > 0 &&
              t(
                "{count, number} of them reported your mail as spam: lift this only for people who have asked you for mail. They stay unsubscribed from campaigns.",
                { count: complained },
              ),
            t("The audit log keeps who lifted them."),
          ]
            .filter(Boolean)
            .join(" "),
          action: t("Lift {suppressions}", { suppressions: subjects }),
          run: (email) => api("DELETE /v1/suppressions/{email}", { params: { email } }),
          done: (count) =>
            t("{suppressions} lifted", { suppressions: counted(count, "suppression") }),
        },
      ]}
      onDone={onDone}
    />
  );
}

/** Of the head its width, and of cells, too, where there is no room for them. */
const looks: Record<SuppressionColumn, string> = {
  reason: "w-32 max-sm:hidden",
  response: "max-md:hidden",
  source: "max-lg:hidden",
  createdAt: "w-32 max-sm:hidden",
};

function SuppressionRow({
  suppression,
  columns,
  select,
  onLift,
}: {
  suppression: Suppression;
  columns: readonly SuppressionColumn[];
  /** The cell of its checkbox, for those who may use it. */
  select: ReactNode;
  onLift: (() => void) | null;
}) {
  const { email, reason, response, createdAt } = suppression;
  const shown: Record<SuppressionColumn, ReactNode> = {
    reason: <Badge tone={reasonTones[reason]}>{reasonWords[reason]}</Badge>,
    response: response ? <span className="line-clamp-4">{response}</span> : null,
    source: <Source suppression={suppression} />,
    createdAt: <RelativeTime value={createdAt} />,
  };
  /** What stands below the address where there is no room for its column. */
  const below = (column: SuppressionColumn) => columns.includes(column) && shown[column];
  return (
    <Row>
      {select}
      <Cell className="wrap-anywhere">
        <span className="font-medium">{email}</span>
        <span className="mt-1 flex items-center gap-2 text-xs text-faint empty:hidden sm:hidden">
          {below("reason")}
          {below("createdAt")}
        </span>
        {below("response") && (
          <span className="mt-1 block text-xs text-soft md:hidden">{shown.response}</span>
        )}
        {below("source") && (
          <span className="mt-1 block text-xs text-soft lg:hidden">{shown.source}</span>
        )}
      </Cell>
      {columns.map((column) => (
        <Cell key={column} className={clsx("text-soft wrap-anywhere", looks[column])}>
          {shown[column] ?? <span className="text-faint">–</span>}
        </Cell>
      ))}
      {onLift && (
        <Cell className="text-right">
          <Button
            size="sm"
            variant="ghost"
            aria-label={t("Lift {email}", { email })}
            onClick={onLift}
          >
            {t("Lift")}
          </Button>
        </Cell>
      )}
    </Row>
  );
}

/** Where it comes from; the email, if one did it, a click away. */
function Source({ suppression }: { suppression: Suppression }) {
  const path = useProjectPath();
  const words = sourceWords(suppression);
  if (!suppression.emailId) return words;
  return (
    <Link
      href={path(`emails/${suppression.emailId}`)}
      className="underline underline-offset-2 hover:no-underline"
    >
      {words}
    </Link>
  );
}

const warnings: Record<Suppression["reason"], string> = phrases({
  hard_bounce:
    "Mail to this address came back for good: a mail server said that it does not exist or cannot receive mail, or one email after another bounced. If that is still so, the next bounces again, and bounces harm your reputation as a sender.",
  complaint:
    "Its owner reported your mail as spam. They stay unsubscribed from campaigns: lift this only when they have asked you for mail.",
  manual: "Somebody in this project added it.",
  domain:
    "Somebody in this project stopped all mail to this domain. Addresses in it that are suppressed themselves stay so.",
});

function LiftDialog({ suppression, onClose }: { suppression: Suppression; onClose: () => void }) {
  const api = useApi();
  const { email, reason, response } = suppression;
  return (
    <ConfirmAction
      onClose={onClose}
      title={t("Allow mail to {email} again?", { email })}
      action={t("Allow mail")}
      run={() => api("DELETE /v1/suppressions/{email}", { params: { email } })}
      done={t("Mail may be sent to {email} again", { email })}
    >
      {warnings[reason]} {response && <>{t("The words were: “{response}”.", { response })} </>}
      {t("The audit log keeps who lifted it.")}
    </ConfirmAction>
  );
}
