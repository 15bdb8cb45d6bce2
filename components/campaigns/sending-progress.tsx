"use client";

import { useState } from "react";
import { formatSeconds, paceOf, type Sample } from "@/components/imports/pace";
import { Progress } from "@/components/ui/progress";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { count, percent } from "@/components/ui/numbers";

/** How far it has come, how fast it goes and when it will be done. */
export function SendingProgress({ campaign, at }: { campaign: CampaignProgress; at: number }) {
  const { recipients, pending } = campaign.stats;
  const done = recipients - pending;
  // The first reading since it last stood still: after a reload or a pause the pace is measured anew.
  const [first, setFirst] = useState<Sample | null>(null);
  const sending = campaign.status === "SENDING";
  if (sending && !first) setFirst({ at, count: done });
  if (!sending && first) setFirst(null);
  const pace = first && paceOf(first, { at, count: done }, recipients);
  return (
    <section aria-label="Progress" className="mb-9" data-testid="progress">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="display text-3xl">
          {recipients === 0 ? "0%" : percent(Math.floor((done / recipients) * 1000) / 1000)}
        </p>
        <p className="text-sm text-soft" aria-live="polite">
          {recipients === 0
            ? "Selecting its recipients."
            : `${count(done)} of ${count(recipients)} sent`}
          {!sending
            ? ". Nothing is sent until you resume it."
            : pace
              ? `, ${count(Math.max(1, Math.round(pace.perSecond)))} a second, ${formatSeconds(pace.secondsLeft)} left`
              : ""}
        </p>
      </div>
      <Progress
        label="Sending"
        value={recipients === 0 ? (sending ? null : 0) : done / recipients}
      />
      {sending && (
        <p className="mt-1.5 text-xs text-faint">You can close this page. Sending continues.</p>
      )}
    </section>
  );
}
