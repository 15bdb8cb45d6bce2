"use client";

import { Gauge, Timer } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { formatSeconds, paceOf, type Sample } from "@/components/imports/pace";
import { Progress } from "@/components/ui/progress";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { ExactTime } from "@/components/ui/relative-time";
import { count, percent } from "@/components/ui/numbers";
import { progressWords } from "./recipient-words";

/** `3 a second`; slower rates are given by the minute or the hour. */
function rateWords(perSecond: number): string {
  if (perSecond >= 1) return `${count(Math.round(perSecond))} a second`;
  const perMinute = Math.round(perSecond * 60);
  return perMinute >= 1
    ? `${count(perMinute)} a minute`
    : `${count(Math.max(1, Math.round(perSecond * 3600)))} an hour`;
}

/** The limit that the project has set for all of its campaigns together. */
function ProjectPace({ emailsPerHour }: { emailsPerHour: number }) {
  const path = useProjectPath();
  return (
    <p className="mt-3 flex items-start gap-2.5 text-sm">
      <Timer className="mt-0.5 size-4 shrink-0 text-faint" aria-hidden />
      <span>
        <span className="font-medium">This project’s pace: {count(emailsPerHour)} an hour</span>{" "}
        <span className="text-soft">
          for all of its campaigns together. You can change it under{" "}
          <Link href={`${path("settings")}#pace`} className="underline hover:text-accent-ink">
            Settings
          </Link>
          , even while they are being sent.
        </span>
      </span>
    </p>
  );
}

/** How far it has come, how fast it is going and when it will be done. */
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
  // And in an A/B test, most of them wait for the winner.
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
                ? `, ${rateWords(pace.perSecond)}, ${formatSeconds(pace.secondsLeft)} left`
                : ""}
        </p>
      </div>
      <Progress label="Sending" value={share ?? (sending ? null : 0)} />
      {sending && campaign.pace && <ProjectPace {...campaign.pace} />}
      {sending && campaign.slowed.length > 0 && (
        <ul className="mt-3 flex flex-col gap-1 text-sm" aria-label="Receivers that get less mail">
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
