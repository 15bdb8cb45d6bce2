"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import { useProjectPath } from "@/components/api/project-context";
import { LinkButton } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { count } from "@/components/ui/numbers";
import { Skeleton } from "@/components/ui/skeleton";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import Link from "next/link";
import type { SegmentPreview as Found } from "@/lib/domain/segment-members/schema";

/** How many people a filter finds and who some of them are, as it is being built. */
export function SegmentPreview({
  filter,
  complete,
  segmentId,
}: {
  filter: SegmentFilter;
  /** Every condition is filled in: otherwise what was found last stays. */
  complete: boolean;
  /** The segment, when it is saved like this. */
  segmentId: string | null;
}) {
  const path = useProjectPath();
  const asked = useSettled(filter);
  const [good, setGood] = useState<Found>();
  const query = useRead(
    "POST /v1/segments/preview",
    { body: { filter: asked } },
    { enabled: complete, retry: false, staleTime: 15_000, gcTime: 60_000 },
  );
  const { data } = query;
  if (data && data !== good) setGood(data);
  const found = data ?? good;
  const busy = query.isFetching || asked !== filter;
  return (
    <div aria-busy={busy} className="flex flex-col gap-4">
      <div role="status">
        {found ? (
          <p className={busy || !complete ? "opacity-60" : ""}>
            <span className="display text-4xl">{count(found.count)}</span>{" "}
            <span className="text-soft">{found.count === 1 ? "person" : "people"}</span>
          </p>
        ) : (
          !query.isError && <Skeleton className="h-10 w-40" />
        )}
        <p className="text-xs text-faint">
          {!complete
            ? "Fill in every condition to see who fits."
            : busy
              ? "Counting…"
              : query.isError
                ? ""
                : "As of now."}
        </p>
      </div>
      {query.isError && complete && (
        <Callout kind="warning" title="Not counted">
          {messageOf(query.error)}
        </Callout>
      )}
      {found && found.sample.length > 0 && (
        <>
          <h3 className="eyebrow">The newest of them</h3>
          <ul className="-mt-2 text-sm">
            {found.sample.map((person) => (
              <li key={person.id} className="border-b py-1.5 last:border-b-0">
                <Link
                  href={path(`contacts/${person.id}`)}
                  className="block truncate font-medium hover:text-accent-ink"
                >
                  {person.email}
                </Link>
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
          Show all of them
        </LinkButton>
      )}
    </div>
  );
}
