"use client";

import { Gauge, Timer } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { formatSeconds, paceOf, type Sample } from "@/components/imports/pace";
import { Link } from "@/components/ui/link";
import { Progress } from "@/components/ui/progress";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { ExactTime } from "@/components/ui/relative-time";
import { count, percent } from "@/components/ui/numbers";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { progressWords } from "./recipient-words";

/** `3 a second`; slower rates are given by the minute or the hour. */
function rateWords(perSecond: number): string {
  if (perSecond >= 1) return t("{count} a second", { count: count(Math.round(perSecond)) });
  const perMinute = Math.round(perSecond * 60);
  return perMinute >= 1
    ? t("{count} a minute", { count: count(perMinute) })
    : t("{count} an hour", { count: count(Math.max(1, Math.round(perSecond * 3600))) });
}

/** What stands first in a line, and the rest of it. */
const parts = {
  b: (words: ReactNode) => <span className="font-medium">{words}</span>,
  rest: (words: ReactNode) => <span className="text-soft">{words}</span>,
};

/** The limit that the project has set for all of its campaigns together. */
function ProjectPace({ emailsPerHour }: { emailsPerHour: number }) {
  const path = useProjectPath();
  return (
    <p className="mt-3 flex items-start gap-2.5 text-sm">
      <Timer className="mt-0.5 size-4 shrink-0 text-faint" aria-hidden />
      <span>
        {rich(
          "<b>This project’s pace: {emailsPerHour} an hour</b> <rest>for all of its campaigns together. You can change it under <link>Settings</link>, even while they are being sent.</rest>",
          {
            ...parts,
            emailsPerHour: count(emailsPerHour),
            link: (words) => (
              <Link href={`${path("settings")}#pace`} className="underline hover:text-accent-ink">
                {words}
              </Link>
            ),
          },
        )}
      </span>
    </p>
  );
}

/**
 * Whether it can be said when it will be done. While recipients are still being selected nobody knows how many are left;
 * and in an A/B test, most of them wait for the winner.
 */
export const hasPace = ({ status, audienceComplete, abTestPhase }: CampaignProgress) =>
  status === "SENDING" &&
  audienceComplete &&
  abTestPhase !== "testing" &&
  abTestPhase !== "awaiting_winner";

/** How far it has come, how fast it is going and when it will be done. `at`: of the reading; null where it has no pace. */
export function SendingProgress({
  campaign,
  at,
}: {
  campaign: CampaignProgress;
  at: number | null;
}) {
  const { recipients, pending } = campaign.stats;
  const done = recipients - pending;
  const now = at === null ? null : { at, count: done };
  // The first reading with a pace: after a reload, a pause or a test it is measured afresh.
  const [first, setFirst] = useState<Sample | null>(null);
  if (now && !first) setFirst(now);
  if (!now && first) setFirst(null);
  const sending = campaign.status === "SENDING";
  const { audienceComplete } = campaign;
  const pace = now && first && paceOf(first, now, recipients);
  const progress = progressWords(campaign);
  const share = audienceComplete && recipients > 0 ? done / recipients : null;
  return (
    <section aria-label={t("Progress")} className="mb-9" data-testid="progress">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="display text-3xl">
          {share === null ? count(done) : percent(Math.floor(share * 1000) / 1000)}
        </p>
        <p className="text-sm text-soft" aria-live="polite">
          {!sending
            ? t("{progress}. Nothing is sent until you resume it.", { progress })
            : campaign.waitsFor?.expectedEndAt
              ? rich("{progress}, expected to end by {time}", {
                  progress,
                  time: <ExactTime value={campaign.waitsFor.expectedEndAt} seconds={false} />,
                })
              : pace && !campaign.waitsFor
                ? t("{progress}, {rate}, {time} left", {
                    progress,
                    rate: rateWords(pace.perSecond),
                    time: formatSeconds(pace.secondsLeft),
                  })
                : progress}
        </p>
      </div>
      <Progress label={t("Sending")} value={share ?? (sending ? null : 0)} />
      {sending && campaign.pace && <ProjectPace {...campaign.pace} />}
      {sending && campaign.slowed.length > 0 && (
        <ul
          className="mt-3 flex flex-col gap-1 text-sm"
          aria-label={t("Receivers that get less mail")}
        >
          {campaign.slowed.map(({ receiver, perMinute, since, message }) => (
            <li key={receiver} className="flex items-start gap-2.5">
              <Gauge className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
              <span className="min-w-0 wrap-anywhere">
                {rich(
                  "<b>{receiver}: {perMinute} a minute</b> <rest>since {time}. {message}</rest>",
                  {
                    ...parts,
                    receiver,
                    perMinute: count(perMinute),
                    time: <ExactTime value={since} seconds={false} />,
                    message,
                  },
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {sending && (
        <p className="mt-1.5 text-xs text-faint">
          {t("You can close this page. Sending continues.")}
        </p>
      )}
    </section>
  );
}
