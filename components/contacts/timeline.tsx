"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { pageHref } from "@/components/list-page/filters";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { setInAddress } from "@/components/ui/address";
import { Button, LinkButton } from "@/components/ui/button";
import { Section } from "@/components/ui/page-header";
import { TableSkeleton } from "@/components/ui/skeleton";
import type { TimelineKind } from "@/lib/domain/contact-story/schema";
import type { Contact } from "@/lib/domain/contacts/schema";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { Entry } from "./timeline-entry";
import { kindLabels, timelineKind, timelinePage, timelineParameter } from "./timeline-words";

/** Everything that happened with a person, newest first, narrowed to a kind and page by page. */
export function Timeline({
  contact,
  initial,
  initialKind,
  ends,
}: {
  contact: Contact;
  initial: ApiAnswer<"GET /v1/contacts/{id}/timeline">;
  /** What `initial` is narrowed to. */
  initialKind: TimelineKind | null;
  ends: string;
}) {
  const path = useProjectPath();
  const kinds = Object.entries(kindLabels) as [TimelineKind, string][];
  const kind = timelineKind(useSearchParams().get(timelineParameter));
  const [older, setOlder] = useState<{ kind: TimelineKind | null; cursor: string } | null>(null);
  // Another kind begins with its newest, by whatever way it was chosen.
  const cursor = older?.kind === kind ? older.cursor : undefined;
  const isFirst = kind === initialKind && cursor === undefined;
  const timeline = useRead(
    "GET /v1/contacts/{id}/timeline",
    {
      params: { id: contact.id },
      query: { limit: timelinePage, ...(kind && { kinds: kind }), ...(cursor && { cursor }) },
    },
    { ...(isFirst && { initial }), every: cursor === undefined ? 15_000 : false },
  );
  const narrow = (to: TimelineKind | null) => {
    setOlder(null);
    setInAddress(timelineParameter, to);
  };
  const entries = timeline.data?.data;
  const next = timeline.data?.nextCursor;
  return (
    <Section
      title={t("Timeline")}
      description={ends}
      actions={
        <LinkButton href={pageHref(path("emails"), { search: contact.email })} size="sm">
          {t("All emails")}
        </LinkButton>
      }
    >
      <div role="group" aria-label={t("Show")} className="-ml-2.5 mb-4 flex flex-wrap gap-1">
        {([[null, t("Everything")], ...kinds] as const).map(([of, label]) => (
          <Button
            key={of}
            size="sm"
            variant={of === kind ? "secondary" : "ghost"}
            aria-pressed={of === kind}
            onClick={() => narrow(of)}
          >
            {label}
          </Button>
        ))}
      </div>
      <NotUpToDate of={timeline} title={t("This list is out of date")} />
      {!entries ? (
        <TableSkeleton rows={5} columns={1} />
      ) : entries.length === 0 ? (
        <p className="text-sm text-soft">
          {kind === null ? t("Nothing has happened yet.") : t("Nothing of this kind has happened.")}
        </p>
      ) : (
        <ol aria-label={t("Timeline")}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} contactId={contact.id} />
          ))}
        </ol>
      )}
      {(cursor !== undefined || next !== undefined) && (
        <nav aria-label={t("Pages of the timeline")} className="mt-4 flex justify-between gap-2">
          {cursor === undefined ? (
            <span />
          ) : (
            <Button size="sm" onClick={() => setOlder(null)}>
              <ChevronLeft aria-hidden /> {t("Newest")}
            </Button>
          )}
          {next !== undefined && (
            <Button size="sm" onClick={() => setOlder({ kind, cursor: next })}>
              {t("Older")} <ChevronRight aria-hidden />
            </Button>
          )}
        </nav>
      )}
    </Section>
  );
}
