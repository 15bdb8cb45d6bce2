"use client";

import { useRouter } from "next/navigation";
import { useEffect, type ReactNode } from "react";
import { useRead } from "@/components/api/use-read";
import { useProjectPath } from "@/components/api/project-context";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { WhySearch } from "@/components/recipients/why-search";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { Island } from "@/components/ui/island";
import { PageHeader } from "@/components/ui/page-header";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import type { AbTestSettings } from "@/lib/domain/ab-tests/schema";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { AbTestResults } from "./ab-test-results";
import { CampaignDetails, type ShownMail } from "./campaign-details";
import { CampaignMoves } from "./campaign-moves";
import { CampaignSpread } from "./campaign-spread";
import { CampaignResults } from "./campaign-results";
import { CampaignStatus } from "./campaign-status";
import { ReportLinks } from "./report-links";
import { hasPace, SendingProgress } from "./sending-progress";

/** Milliseconds between two readings, by status: every two seconds while mail is being sent. */
const readEvery: Record<CampaignProgress["status"], number> = {
  DRAFT: 30_000,
  SCHEDULED: 5_000,
  SENDING: 2_000,
  PAUSED: 2_000,
  SENT: 10_000,
  CANCELLED: 10_000,
  FAILED: 30_000,
};

/** A campaign that is scheduled, being sent or finished: how far it has come and how it is doing. */
export function CampaignView({
  initial,
  abTest,
  mails,
  audience,
}: {
  initial: CampaignProgress;
  /** The settings it was given. */
  abTest: AbTestSettings | null;
  /** What is sent, variant by variant, with its placeholders. */
  mails: readonly ShownMail[];
  /** Who it is for, in words. */
  audience: string;
}) {
  const path = useProjectPath();
  const router = useRouter();
  const reading = useRead(
    "GET /v1/campaigns/{id}/progress",
    { params: { id: initial.id } },
    { initial, every: (progress) => readEvery[progress?.status ?? "DRAFT"] },
  );
  const campaign = reading.data;
  const isDraft = campaign.status === "DRAFT";
  // Somebody cancelled the schedule: this page now shows the composer.
  useEffect(() => {
    if (isDraft) router.refresh();
  }, [isDraft, router]);
  return (
    <>
      <PageHeader
        title={campaign.name}
        back={{ href: path("campaigns"), label: t("Campaigns") }}
        meta={
          <>
            <CampaignStatus status={campaign.status} abTestPhase={campaign.abTestPhase} />
            <When campaign={campaign} />
            <CopyableCode text={campaign.id} what={t("campaign id")} />
          </>
        }
        actions={<CampaignMoves campaign={campaign} abTest={abTest} audience={audience} />}
      />
      <div className="mb-7 flex flex-col gap-5 empty:hidden">
        <NotUpToDate of={reading}>{t("The campaign itself is not affected.")}</NotUpToDate>
        {campaign.failureReason && (
          <Callout
            kind={campaign.status === "FAILED" ? "danger" : "warning"}
            title={
              campaign.status === "FAILED"
                ? t("The campaign was stopped")
                : t("The campaign was paused automatically")
            }
          >
            {campaign.failureReason}
            {campaign.guard && (
              <p className="mt-1">
                {t(
                  "This protects your reputation with mailbox providers: find out why before you resume it.",
                )}
              </p>
            )}
          </Callout>
        )}
        {campaign.waitsFor && (
          <Callout kind="info" title={t("Waiting for the domain’s warm-up")}>
            {t("{message} The most engaged people come first, and the rest follow automatically.", {
              message: campaign.waitsFor.message,
            })}
          </Callout>
        )}
        {campaign.test && (
          <Callout kind="info">
            {t(
              "This campaign was sent with a test key: its mail is in the captured mailbox, and nobody received it.",
            )}
          </Callout>
        )}
      </div>
      {(campaign.status === "SENDING" || campaign.status === "PAUSED") && (
        <Island>
          <SendingProgress
            campaign={campaign}
            at={hasPace(campaign) ? reading.dataUpdatedAt : null}
          />
        </Island>
      )}
      {campaign.abTestResult && (
        <Island>
          <AbTestResults campaign={campaign} result={campaign.abTestResult} />
        </Island>
      )}
      {campaign.startedAt && campaign.personalTime && (
        <Island>
          <CampaignSpread campaign={campaign} />
        </Island>
      )}
      {campaign.startedAt && (
        <Island>
          <CampaignResults campaign={campaign} />
        </Island>
      )}
      {campaign.startedAt && (
        <Island>
          <ReportLinks campaignId={campaign.id} />
        </Island>
      )}
      <div className="mt-9 print:hidden">
        <Island>
          <WhySearch campaignId={campaign.id} ahead={campaign.status === "SCHEDULED"} />
        </Island>
      </div>
      <Island>
        <CampaignDetails campaign={campaign} abTest={abTest} mails={mails} audience={audience} />
      </Island>
    </>
  );
}

function When({ campaign }: { campaign: CampaignProgress }) {
  const text = (words: ReactNode) => <span className="text-sm text-soft">{words}</span>;
  const { status, scheduledAt, timeZone } = campaign;
  if (status === "SCHEDULED" && scheduledAt) {
    const times = {
      time: <ExactTime value={scheduledAt} seconds={false} />,
      relativeTime: <RelativeTime value={scheduledAt} />,
    };
    return text(
      timeZone
        ? rich("for {time}, {relativeTime} (chosen in {timeZone})", { ...times, timeZone })
        : rich("for {time}, {relativeTime}", times),
    );
  }
  if (campaign.finishedAt) return text(<RelativeTime value={campaign.finishedAt} />);
  return campaign.startedAt
    ? text(
        rich("since {relativeTime}", {
          relativeTime: <RelativeTime value={campaign.startedAt} />,
        }),
      )
    : null;
}
