"use client";

import { Search, SearchX } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { pageHref } from "@/components/list-page/filters";
import { Button, LinkButton } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { ExactTime } from "@/components/ui/relative-time";
import type { LogQuery } from "@/lib/domain/emails/log-schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";

/**
 * Searches the log further back where a page came without an email, until something is found or the log ends. Then the
 * page that has it is shown.
 */
export function SearchOn({
  href,
  query,
  from,
  noMatch,
}: {
  /** The log, without filters. */
  href: string;
  query: LogQuery;
  /** Where the search goes on, and how far it has come. */
  from: { cursor: string; searchedTo: string };
  /** What is said when nothing is found. */
  noMatch: { title: string; hint: string; showAll: string };
}) {
  const router = useRouter();
  const [place, setPlace] = useState(from);
  const [stopped, setStopped] = useState(false);
  const next = useRead(
    "GET /v1/emails",
    { query: { ...query, cursor: place.cursor } },
    { enabled: !stopped, gcTime: 0 },
  );
  const answer = next.data;
  const found = answer !== undefined && answer.data.length > 0;
  if (answer && !found && answer.nextCursor && answer.searchedTo) {
    setPlace({ cursor: answer.nextCursor, searchedTo: answer.searchedTo });
  }
  useEffect(() => {
    if (found) router.replace(pageHref(href, query, { cursor: place.cursor }), { scroll: false });
  }, [found, router, href, query, place.cursor]);

  const showAll = <LinkButton href={href}>{noMatch.showAll}</LinkButton>;
  if (answer && !found && !answer.nextCursor) {
    return (
      <EmptyState icon={SearchX} title={noMatch.title} action={showAll}>
        {noMatch.hint}
      </EmptyState>
    );
  }
  if (next.isError) {
    return (
      <ErrorState
        title={t("The search could not go on")}
        message={messageOf(next.error)}
        onRetry={() => void next.refetch()}
        retrying={next.isFetching}
      />
    );
  }
  return (
    <EmptyState
      icon={Search}
      title={stopped ? t("Nothing found so far") : t("Searching older emails")}
      action={
        <>
          <Button onClick={() => setStopped(!stopped)}>
            {stopped ? t("Search on") : t("Stop")}
          </Button>
          {showAll}
        </>
      }
    >
      <span role="status">
        {rich("No email since {time} matches.", {
          time: <ExactTime value={place.searchedTo} />,
        })}
      </span>
    </EmptyState>
  );
}
