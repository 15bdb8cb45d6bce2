"use client";

import { Gauge } from "lucide-react";
import { useState } from "react";
import { formatSeconds, paceOf, type Sample } from "@/components/imports/pace";
import { Progress } from "@/components/ui/progress";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { ExactTime } from "@/components/ui/relative-time";
import { count, percent } from "@/components/ui/numbers";
import { progressWords } from "./recipient-words";

/** How far it has come, how fast it goes and when it will be done. */
export function SendingProgress({ campaign, at }: { campaign: CampaignProgress; at: number }) {
  const { recipients, pending } = campaign.stats;
  const done = recipients - pending;
  // The first reading since it last paused: after a reload or a pause the pace is measured afresh.
  const [first, setFirst] = useState<Sample | null>(null);
  const sending = campaign.status === "SENDING";
  if (sending && !first) setFirst({ at, count: done });
  if (!sending && first) setFirst(null);
  const { audienceComplete } = campaign;
  // While recipients are still being selected nobody knows how many are left.
  // And of an A/B test most wait for its winner.
  const isTested = campaign.abTestPhase === "testing" || campaign.abTestPhase === "awaiting_winner";
  const pace =
    audienceComplete && !isTested && first && paceOf(first, { at, count: done }, recipients);
  const share = audienceComplete && recipients > 0 ? done / recipients : null;
  return (
    <section aria-label="Progress" className="mb-9" data-testid="progress">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="display text-3xl">
          {share === null ? count(done) : percent(Math.floor(share * 1000) / 1000)}
        </p>
        <p className="text-sm text-soft" aria-live="polite">
          {progressWords(campaign)}
          {!sending
            ? ". Nothing is sent until you resume it."
            : campaign.waitsFor
              ? campaign.waitsFor.expectedEndAt && (
                  <>
                    , expected to end by{" "}
                    <ExactTime value={campaign.waitsFor.expectedEndAt} seconds={false} />
                  </>
                )
              : pace
                ? `, ${count(Math.max(1, Math.round(pace.perSecond)))} a second, ${formatSeconds(pace.secondsLeft)} left`
                : ""}
        </p>
      </div>
      <Progress label="Sending" value={share ?? (sending ? null : 0)} />
      {sending && campaign.slowed.length > 0 && (
        <ul className="mt-3 flex flex-col gap-1 text-sm" aria-label="Receivers that are given less">
          {campaign.slowed.map(({ receiver, perMinute, since, message }) => (
            <li key={receiver} className="flex items-start gap-2.5">
              <Gauge className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
              <span className="min-w-0 wrap-anywhere">
                <span className="font-medium">
                  {receiver}: {count(perMinute)} a minute
                </span>{" "}
                <span className="text-soft">
                  since <ExactTime value={since} seconds={false} />. {message}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {sending && (
        <p className="mt-1.5 text-xs text-faint">You can close this page. Sending continues.</p>
      )}
    </section>
  );
}
