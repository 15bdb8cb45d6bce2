"use client";

import { CalendarClock, MailQuestion, Pause, Play, Send, Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState, type ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { ConfirmAction } from "@/components/form/confirm-action";
import { useAction } from "@/components/form/use-action";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { WhySearch } from "@/components/recipients/why-search";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import type { AbTestSettings } from "@/lib/domain/ab-tests/schema";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { AbTestResults } from "./ab-test-results";
import { CampaignDetails, type ShownMail } from "./campaign-details";
import { CampaignMenu } from "./campaign-menu";
import { CampaignSpread } from "./campaign-spread";
import { CampaignResults } from "./campaign-results";
import { CampaignStatus } from "./campaign-status";
import { useFollowUp } from "./follow-up";
import { PreflightReport } from "./preflight-report";
import { ReportLinks } from "./report-links";
import { ScheduleDialog, SendNowDialog } from "./send-dialogs";
import { SendingProgress } from "./sending-progress";
import { ShareReport } from "./share-report";
import { usePreflight } from "./use-preflight";

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

const saved = () => Promise.resolve();

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
        actions={<Actions campaign={campaign} abTest={abTest} audience={audience} />}
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
        <SendingProgress campaign={campaign} at={reading.dataUpdatedAt} />
      )}
      {campaign.abTestResult && (
        <AbTestResults campaign={campaign} result={campaign.abTestResult} />
      )}
      {campaign.startedAt && campaign.personalTime && <CampaignSpread campaign={campaign} />}
      {campaign.startedAt && <CampaignResults campaign={campaign} />}
      {campaign.startedAt && <ReportLinks campaignId={campaign.id} />}
      <div className="mt-9 print:hidden">
        <WhySearch campaignId={campaign.id} ahead={campaign.status === "SCHEDULED"} />
      </div>
      <CampaignDetails campaign={campaign} abTest={abTest} mails={mails} audience={audience} />
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

function Actions({
  campaign,
  abTest,
  audience,
}: {
  campaign: CampaignProgress;
  abTest: AbTestSettings | null;
  audience: string;
}) {
  const api = useApi();
  const [dialog, setDialog] = useState<"send" | "schedule" | "resume" | null>(null);
  const params = { id: campaign.id };
  const move = (verb: "pause" | "resume" | "unschedule") =>
    verb === "pause"
      ? api("POST /v1/campaigns/{id}/pause", { params })
      : verb === "resume"
        ? api("POST /v1/campaigns/{id}/resume", {
            params,
            body: { acknowledge: campaign.guard !== null },
          })
        : api("POST /v1/campaigns/{id}/unschedule", { params });
  const moving = useAction({
    mutationFn: move,
    onError: (error) =>
      toast.error(t("The campaign was not changed"), { description: messageOf(error) }),
  });
  const followUp = useFollowUp(campaign.id);
  const may = useMay("editor");
  if (!may) return null;
  const pending = (verb: string) => moving.isPending && moving.variables === verb;
  const { status } = campaign;
  const close = () => setDialog(null);
  const shared = { campaign, onClose: close, flush: saved };
  return (
    <>
      {status === "SENDING" && (
        <Button variant="primary" pending={pending("pause")} onClick={() => moving.mutate("pause")}>
          <Pause aria-hidden /> {t("Pause")}
        </Button>
      )}
      {status === "PAUSED" && (
        <Button
          variant="primary"
          pending={pending("resume")}
          onClick={() => (campaign.guard ? setDialog("resume") : moving.mutate("resume"))}
        >
          <Play aria-hidden /> {t("Resume")}
        </Button>
      )}
      {status === "SCHEDULED" && (
        <>
          <Button pending={pending("unschedule")} onClick={() => moving.mutate("unschedule")}>
            <Undo2 aria-hidden /> {t("Back to draft")}
          </Button>
          <Button onClick={() => setDialog("schedule")}>
            <CalendarClock aria-hidden /> {t("Change time")}
          </Button>
          <Button variant="primary" onClick={() => setDialog("send")}>
            <Send aria-hidden /> {t("Send now")}
          </Button>
        </>
      )}
      {status === "SENT" && campaign.stats.recipients > 0 && (
        <Button
          variant="primary"
          pending={followUp.isPending}
          onClick={() => followUp.mutate("not_opened")}
        >
          <MailQuestion aria-hidden /> {t("Send to those who did not open")}
        </Button>
      )}
      {campaign.startedAt && <ShareReport campaignId={campaign.id} />}
      <CampaignMenu campaign={campaign} />
      <ConfirmAction
        open={dialog === "resume"}
        onClose={close}
        title={t("Resume this campaign?")}
        action={t("I know why: resume")}
        run={() => move("resume")}
      >
        {t(
          "{failureReason} If the cause is still there, the campaign is paused again, and mailbox providers trust your domain less. Counting starts again from zero.",
          { failureReason: campaign.failureReason },
        )}
      </ConfirmAction>
      {dialog === "schedule" && <ScheduleDialog {...shared} onScheduled={close} times={campaign} />}
      {dialog === "send" && (
        <SendScheduled {...shared} abTest={abTest} onSent={close} audience={audience} />
      )}
    </>
  );
}

function SendScheduled({
  campaign,
  abTest,
  ...rest
}: {
  campaign: CampaignProgress;
  abTest: AbTestSettings | null;
  onClose: () => void;
  flush: () => Promise<void>;
  onSent: () => void;
  audience: string;
}) {
  const { segmentId, listId, topicId } = campaign;
  const estimate = useRead(
    "POST /v1/campaigns/audience",
    { body: { segmentId, listId, topicId } },
    { retry: false },
  );
  const preflight = usePreflight(campaign.id, campaign.updatedAt);
  const report = (
    <PreflightReport preflight={preflight} templateId={campaign.templateId ?? ""} onGoTo={null} />
  );
  return (
    <SendNowDialog
      campaign={campaign}
      estimate={estimate.data}
      timing={{ abTest, personalTime: campaign.personalTime }}
      report={report}
      {...rest}
    />
  );
}
