"use client";

import { CalendarClock, MailQuestion, Pause, Play, Send, Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useMay } from "@/components/api/project-context";
import { ConfirmAction } from "@/components/form/confirm-action";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { AbTestSettings } from "@/lib/domain/ab-tests/schema";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";
import { CampaignMenu } from "./campaign-menu";
import { useFollowUp } from "./follow-up";
import { PreflightReport } from "./preflight-report";
import { ScheduleDialog, SendNowDialog } from "./send-dialogs";
import { ShareReport } from "./share-report";
import { usePreflight } from "./use-preflight";

const saved = () => Promise.resolve();

/** What the campaign's status lets its reader do with it. */
export function CampaignMoves({
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
  const router = useRouter();
  const { name, scheduledAt, timeZone } = campaign;
  const takeBack = useAction({
    mutationFn: (time: string) =>
      api("POST /v1/campaigns/{id}/schedule", {
        params,
        body: { scheduledAt: time, ...(timeZone !== null && { timeZone }) },
      }),
    onSuccess: () => {
      toast.success(t("{name} is scheduled", { name }));
      // The page of a draft is there by now.
      router.refresh();
    },
    onError: (error) => toast.error(t("Nothing was undone"), { description: messageOf(error) }),
  });
  const moving = useAction({
    mutationFn: move,
    onSuccess: (_, verb) => {
      if (verb !== "unschedule") return;
      // One that was scheduled with a test key would be sent for real.
      const undoable = scheduledAt !== null && !campaign.test;
      toast.success(
        t("{name} is a draft again", { name }),
        undoable ? { action: { label: t("Undo"), run: () => takeBack.mutate(scheduledAt) } } : {},
      );
    },
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
    <PreflightReport
      preflight={preflight}
      draft={{ templateId: campaign.templateId ?? "", design: null }}
      onGoTo={null}
    />
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
