"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Session } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";
import { deviceOf } from "./device";

/** Where the reader is signed in. Each session can be ended, and all others at once. */
export function SessionList({ initial }: { initial: ApiAnswer<"GET /v1/sessions"> }) {
  const [ending, setEnding] = useState<Session | "others" | null>(null);
  const list = useRead("GET /v1/sessions", {}, { initial, every: 60_000 });
  const { data: sessions } = list.data;
  return (
    <Section
      title={t("Your sessions")}
      description={t("Where you are signed in. A session ends 30 days after signing in.")}
      actions={
        sessions.length > 1 && (
          <Button onClick={() => setEnding("others")}>{t("End all other sessions")}</Button>
        )
      }
    >
      <NotUpToDate of={list} />
      <Table label={t("Your sessions")}>
        <TableHead>
          <HeaderCell>{t("Browser")}</HeaderCell>
          <HeaderCell className="max-sm:hidden">{t("Address")}</HeaderCell>
          <HeaderCell>{t("Last used")}</HeaderCell>
          <HeaderCell className="max-sm:hidden">{t("Signed in")}</HeaderCell>
          <HeaderCell>
            <span className="sr-only">{t("Actions")}</span>
          </HeaderCell>
        </TableHead>
        <tbody>
          {sessions.map((session) => (
            <Row key={session.id}>
              <Cell>
                <span className="flex flex-wrap items-center gap-2">
                  <span className="font-medium">{deviceOf(session.userAgent)}</span>
                  {session.current && <Badge tone="info">{t("this one")}</Badge>}
                  {session.onlyProjectId !== null && <Badge>{t("one project only")}</Badge>}
                </span>
              </Cell>
              <Cell className="text-soft max-sm:hidden">{session.address}</Cell>
              <Cell className="text-soft">
                <RelativeTime value={session.lastSeenAt} />
              </Cell>
              <Cell className="text-soft max-sm:hidden">
                <RelativeTime value={session.createdAt} />
              </Cell>
              <Cell className="text-right">
                {!session.current && (
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={t("End the session in {device}", {
                      device: deviceOf(session.userAgent),
                    })}
                    onClick={() => setEnding(session)}
                  >
                    {t("End")}
                  </Button>
                )}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      {ending && <EndSessions which={ending} onClose={() => setEnding(null)} />}
    </Section>
  );
}

function EndSessions({ which, onClose }: { which: Session | "others"; onClose: () => void }) {
  const api = useApi();
  const all = which === "others";
  return (
    <ConfirmAction
      onClose={onClose}
      title={
        all
          ? t("End all other sessions?")
          : t("End the session in {device}?", { device: deviceOf(which.userAgent) })
      }
      action={all ? t("End all others") : t("End session")}
      run={() =>
        all
          ? api("DELETE /v1/sessions", {})
          : api("DELETE /v1/sessions/{id}", { params: { id: which.id } })
      }
      done={all ? t("All other sessions have ended") : t("The session has ended")}
    >
      {all
        ? t("Anybody using one of them will have to sign in again.")
        : t("Anybody using it will have to sign in again.")}
    </ConfirmAction>
  );
}
