"use client";

import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Figure } from "@/components/ui/description-list";
import { count } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Engagement } from "@/lib/domain/engagement/schema";

/** How a person responds to the project's mail. */
export function ContactEngagement({
  contactId,
  initial,
}: {
  contactId: string;
  initial: Engagement;
}) {
  const reading = useRead(
    "GET /v1/contacts/{id}/engagement",
    { params: { id: contactId } },
    { initial, every: 60_000 },
  );
  const { score, explanation, lastSeenAt, sent, opened } = reading.data;
  return (
    <Section title="Engagement">
      <NotUpToDate of={reading} />
      <dl className="grid grid-cols-3 gap-x-6">
        <Figure label="Score" value={score ?? "–"} note={score === null ? null : "of 100"} />
        <Figure label="Read" value={`${count(opened)} of ${count(sent)}`} note="in 180 days" />
        <div>
          <dt className="eyebrow">Last seen</dt>
          <dd className="mt-2 text-sm">
            {lastSeenAt ? <RelativeTime value={lastSeenAt} /> : "never"}
          </dd>
        </div>
      </dl>
      <p className="mt-3 text-sm text-soft">{explanation}</p>
    </Section>
  );
}
