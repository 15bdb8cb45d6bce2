"use client";

import { ShieldX } from "lucide-react";
import Link from "next/link";
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
import type { Suppression, SuppressionQuery } from "@/lib/domain/suppressions/schema";
import { AddSuppression } from "./add-suppression";
import { reasonTones, reasonWords } from "./reasons";

/** A page of the addresses nothing is sent to. */
export function SuppressionList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/suppressions">;
  query: SuppressionQuery;
}) {
  const path = useProjectPath();
  const may = useMay("editor");
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
          title: "No suppression matches",
          hint: "No suppressed address or domain contains this text and has this reason. Search for a whole address to see whether its domain is suppressed.",
          showAll: "Show all suppressions",
        }}
        empty={
          <EmptyState icon={ShieldX} title="Nobody is suppressed" action={<AddSuppression />}>
            Addresses that bounce for good and people who report spam appear here by themselves, so
            that nothing more is sent to them.
          </EmptyState>
        }
      >
        {(suppressions) => (
          <Table label="Suppressions" className="table-fixed">
            <TableHead>
              <HeaderCell>Address or domain</HeaderCell>
              <HeaderCell className="w-36 max-sm:hidden">Reason</HeaderCell>
              <HeaderCell className="max-md:hidden">What the server said</HeaderCell>
              <HeaderCell className="w-32 max-sm:hidden">Since</HeaderCell>
              {may && (
                <HeaderCell className="w-24">
                  <span className="sr-only">Actions</span>
                </HeaderCell>
              )}
            </TableHead>
            <tbody>
              {suppressions.map((suppression) => (
                <SuppressionRow
                  key={suppression.email}
                  suppression={suppression}
                  onLift={may ? () => setLifting(suppression) : null}
                />
              ))}
            </tbody>
          </Table>
        )}
      </ListPage>
      {lifting && <LiftDialog suppression={lifting} onClose={() => setLifting(null)} />}
    </>
  );
}

function SuppressionRow({
  suppression: { email, reason, emailId, response, createdAt },
  onLift,
}: {
  suppression: Suppression;
  onLift: (() => void) | null;
}) {
  const path = useProjectPath();
  const badge = <Badge tone={reasonTones[reason]}>{reasonWords[reason]}</Badge>;
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <span className="font-medium">{email}</span>
        <span className="mt-1 flex items-center gap-2 text-xs text-faint sm:hidden">
          {badge} <RelativeTime value={createdAt} />
        </span>
      </Cell>
      <Cell className="max-sm:hidden">{badge}</Cell>
      <Cell className="text-soft max-md:hidden">
        {emailId ? (
          <Link
            href={path(`emails/${emailId}`)}
            className="line-clamp-2 underline-offset-2 hover:underline"
          >
            {response ?? "Show the email"}
          </Link>
        ) : (
          <span className="text-faint">–</span>
        )}
      </Cell>
      <Cell className="text-soft max-sm:hidden">
        <RelativeTime value={createdAt} />
      </Cell>
      {onLift && (
        <Cell className="text-right">
          <Button size="sm" variant="ghost" aria-label={`Lift ${email}`} onClick={onLift}>
            Lift
          </Button>
        </Cell>
      )}
    </Row>
  );
}

const warnings: Record<Suppression["reason"], string> = {
  hard_bounce:
    "A mail server said that this address does not exist or cannot receive mail. If that is still so, the next mail bounces again, and bounces harm your reputation as a sender.",
  complaint:
    "Its owner reported your mail as spam. They stay unsubscribed from campaigns: lift this only when they have asked you for mail.",
  manual: "Somebody in this project added it.",
  domain:
    "Somebody in this project stopped all mail to this domain. Addresses in it that are suppressed themselves stay so.",
};

function LiftDialog({
  suppression: { email, reason },
  onClose,
}: {
  suppression: Suppression;
  onClose: () => void;
}) {
  const api = useApi();
  return (
    <ConfirmAction
      onClose={onClose}
      title={`Allow mail to ${email} again?`}
      action="Allow mail"
      run={() => api("DELETE /v1/suppressions/{email}", { params: { email } })}
      done={`Mail may be sent to ${email} again`}
    >
      {warnings[reason]} The audit log keeps who lifted it.
    </ConfirmAction>
  );
}
