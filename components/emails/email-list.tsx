"use client";

import { Send } from "lucide-react";
import { useState } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { LinkButton } from "@/components/ui/button";
import { ExactTime } from "@/components/ui/relative-time";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { LogQuery } from "@/lib/domain/emails/log-schema";
import { rich } from "@/components/ui/rich";
import { phrases, t } from "@/lib/ground/texts/t";
import { detailsQuery, needDetails, type EmailColumn } from "./columns";
import { EmailTable } from "./email-table";
import { SearchOn } from "./search-on";

const noMatch = phrases({
  title: "No email matches",
  hint: "No email matches all of these filters. Dates are whole days in UTC.",
  showAll: "Show all emails",
});

type Details = ApiAnswer<"GET /v1/emails/details">;

/** All that has been read, by email: one that comes new has the others read anew, which are shown meanwhile. */
function useKnown(read: Details | undefined) {
  const [known, setKnown] = useState(() => ({ read, byId: byId(read) }));
  if (!read || read === known.read) return known.byId;
  const next = { read, byId: new Map([...known.byId, ...byId(read)]) };
  setKnown(next);
  return next.byId;
}

const byId = (read: Details | undefined) => new Map(read?.data.map((of) => [of.id, of]));

/** A page of the log; the newest page keeps itself up to date. */
export function EmailList({
  initial,
  query,
  columns,
  initialDetails,
}: {
  initial: ApiAnswer<"GET /v1/emails">;
  query: LogQuery;
  /** What the reader wants to see of each email. */
  columns: readonly EmailColumn[];
  /** What those need that is not in the log itself; absent: nothing. */
  initialDetails: Details | undefined;
}) {
  const path = useProjectPath();
  const every = query.cursor ? 60_000 : 5_000;
  const list = useRead("GET /v1/emails", { query }, { initial, every });
  const { data, nextCursor, searchedTo } = list.data;
  const asked = detailsQuery(data);
  const details = useRead(
    "GET /v1/emails/details",
    { query: asked },
    {
      ...{ every, enabled: needDetails(columns) && data.length > 0 },
      // They are of the emails that the page came with, and of no others.
      ...(initialDetails &&
        asked.ids === detailsQuery(initial.data).ids && { initial: initialDetails }),
    },
  );
  const known = useKnown(details.data);
  if (data.length === 0 && nextCursor && searchedTo) {
    return (
      <SearchOn
        href={path("emails")}
        query={query}
        from={{ cursor: nextCursor, searchedTo }}
        noMatch={noMatch}
      />
    );
  }
  return (
    <ListPage
      list={list}
      href={path("emails")}
      query={query}
      noMatch={noMatch}
      empty={
        <EmptyState
          icon={Send}
          title={t("No emails yet")}
          action={
            <>
              <LinkButton href={path()} variant="primary">
                {t("Send your first email")}
              </LinkButton>
              <LinkButton href={path("api-keys")}>{t("API keys")}</LinkButton>
            </>
          }
        >
          {t(
            "Everything you send, over HTTP or SMTP, appears here a moment later: one row per recipient, with everything that happened to it.",
          )}
        </EmptyState>
      }
    >
      {(emails) => (
        <>
          <EmailTable emails={emails} columns={columns} details={known} />
          {searchedTo && (
            <p className="mt-3 text-sm text-soft">
              {rich("Searched back to {time}. “Older” goes on searching.", {
                time: <ExactTime value={searchedTo} />,
              })}
            </p>
          )}
        </>
      )}
    </ListPage>
  );
}
