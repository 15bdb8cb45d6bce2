"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import { useProjectPath } from "@/components/api/project-context";
import { stateOf } from "@/components/contacts/person-state";
import { PersonStatus } from "@/components/contacts/person-status";
import { LinkButton } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { FigureLink } from "@/components/ui/figure-link";
import { Link } from "@/components/ui/link";
import { count } from "@/components/ui/numbers";
import { Skeleton } from "@/components/ui/skeleton";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import type { SegmentPreview as Matches } from "@/lib/domain/segment-members/schema";
import { t } from "@/lib/ground/texts/t";
import { Reach } from "./reach";

/** How many people a filter matches and who some of them are, while it is being built. */
export function SegmentPreview({
  filter,
  complete,
  segmentId,
}: {
  filter: SegmentFilter;
  /** Every condition is filled in; otherwise the last matches stay. */
  complete: boolean;
  /** The segment, when it is saved like this. */
  segmentId: string | null;
}) {
  const path = useProjectPath();
  const asked = useSettled(filter);
  const [lastMatches, setLastMatches] = useState<Matches>();
  const query = useRead(
    "POST /v1/segments/preview",
    { body: { filter: asked } },
    { enabled: complete, retry: false, staleTime: 15_000, gcTime: 60_000 },
  );
  const { data } = query;
  if (data && data !== lastMatches) setLastMatches(data);
  const matches = data ?? lastMatches;
  const busy = query.isFetching || asked !== filter;
  const members = segmentId && !busy ? path(`contacts?segmentId=${segmentId}`) : null;
  return (
    <div aria-busy={busy} className="flex flex-col gap-4">
      <div role="status">
        {matches ? (
          <p className={busy || !complete ? "opacity-60" : ""}>
            <span className="display text-4xl">
              <FigureLink href={members && matches.count > 0 ? members : undefined}>
                {count(matches.count)}
              </FigureLink>
            </span>{" "}
            <span className="ml-1 text-soft">
              {t("{count, plural, one {person} other {people}}", { count: matches.count })}
            </span>
          </p>
        ) : (
          !query.isError && <Skeleton className="h-10 w-40" />
        )}
        <p className="text-xs text-faint">
          {!complete
            ? t("Fill in every condition to see who matches.")
            : busy
              ? t("Counting…")
              : query.isError
                ? ""
                : t("As of now.")}
        </p>
      </div>
      {matches && (
        <p className={busy || !complete ? "text-sm text-soft opacity-60" : "text-sm text-soft"}>
          <Reach matches={matches} href={members ? (state) => `${members}&state=${state}` : null} />
        </p>
      )}
      {query.isError && complete && (
        <Callout kind="warning" title={t("The people could not be counted")}>
          {messageOf(query.error)}
        </Callout>
      )}
      {matches && matches.sample.length > 0 && (
        <>
          <h3 className="eyebrow">{t("Newest matches")}</h3>
          <ul className="-mt-2 text-sm">
            {matches.sample.map((person) => (
              <li key={person.id} className="border-b py-1.5 last:border-b-0">
                <Link
                  href={path(`contacts/${person.id}`)}
                  className="block truncate font-medium hover:text-accent-ink"
                >
                  {person.email}
                </Link>
                {stateOf(person) !== "reachable" && <PersonStatus state={stateOf(person)} />}
                <span className="block truncate text-xs text-faint">
                  {[`${person.firstName} ${person.lastName}`.trim(), ...person.tags]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {segmentId && (
        <LinkButton
          href={`${path("contacts")}?segmentId=${segmentId}`}
          size="sm"
          className="self-start"
        >
          {t("Show all matches")}
        </LinkButton>
      )}
    </div>
  );
}
