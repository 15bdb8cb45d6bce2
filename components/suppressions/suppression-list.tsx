"use client";

import { ShieldX } from "lucide-react";
import { useState } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { Button } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Suppression, SuppressionQuery } from "@/lib/domain/suppressions/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { AddSuppression } from "./add-suppression";
import { reasonTones, reasonWords } from "./reasons";
import { sourceWords } from "./source-words";

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
          <Table label={t("Suppressions")} className="table-fixed">
            <TableHead>
              <HeaderCell>{t("Address or domain")}</HeaderCell>
              <HeaderCell className="w-32 max-sm:hidden">{t("Reason")}</HeaderCell>
              <HeaderCell className="max-md:hidden">{t("What the server said")}</HeaderCell>
              <HeaderCell className="max-lg:hidden">{t("Where it comes from")}</HeaderCell>
              <HeaderCell className="w-32 max-sm:hidden">{t("Since")}</HeaderCell>
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
  suppression,
  onLift,
}: {
  suppression: Suppression;
  onLift: (() => void) | null;
}) {
  const { email, reason, response, createdAt } = suppression;
  const badge = <Badge tone={reasonTones[reason]}>{reasonWords[reason]}</Badge>;
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <span className="font-medium">{email}</span>
        <span className="mt-1 flex items-center gap-2 text-xs text-faint sm:hidden">
          {badge} <RelativeTime value={createdAt} />
        </span>
        {response && (
          <span className="mt-1 line-clamp-4 text-xs text-soft md:hidden">{response}</span>
        )}
        <span className="mt-1 block text-xs text-soft lg:hidden">
          <Source suppression={suppression} />
        </span>
      </Cell>
      <Cell className="max-sm:hidden">{badge}</Cell>
      <Cell className="text-soft wrap-anywhere max-md:hidden">
        {response ? (
          <span className="line-clamp-4">{response}</span>
        ) : (
          <span className="text-faint">–</span>
        )}
      </Cell>
      <Cell className="text-soft wrap-anywhere max-lg:hidden">
        <Source suppression={suppression} />
      </Cell>
      <Cell className="text-soft max-sm:hidden">
        <RelativeTime value={createdAt} />
      </Cell>
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
