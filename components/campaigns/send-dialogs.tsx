"use client";

import { useState, type ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { CaptureNote } from "@/components/captured/nothing-leaves";
import { skippedWords } from "@/components/contacts/skipped-words";
import { changedPart } from "@/components/form/changed";
import { DialogForm } from "@/components/form/dialog-form";
import { instantOf, localInput } from "@/components/form/local-time";
import { useAction } from "@/components/form/use-action";
import { Unsettled } from "@/components/form/unsaved-changes";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { Audience } from "@/lib/domain/campaigns/audience-schema";
import type { CampaignUpdate } from "@/lib/domain/campaigns/schema";
import { count, people } from "@/components/ui/numbers";
import { exactTime } from "@/components/ui/dates";
import { rich } from "@/components/ui/rich";
import { phrases, t } from "@/lib/ground/texts/t";
import { LatestTime } from "./latest-time";
import { startWords, type Timing } from "./timing-words";

const campaignUpdate = lazySchema(
  async () => (await import("@/lib/domain/campaigns/schema")).campaignUpdate,
);

export interface Shared {
  campaign: { id: string; name: string };
  onClose: () => void;
  /** Saves what is not saved yet. */
  flush: () => Promise<void>;
}

/** The viewer's own time zone, as `Europe/Berlin`. */
const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Says how many people it goes to before it is sent. */
export function SendNowDialog({
  campaign,
  flush,
  onClose,
  onSent,
  estimate,
  audience,
  timing,
  report,
}: Shared & {
  onSent: () => void;
  timing: Timing;
  estimate: Audience | undefined;
  audience: ReactNode;
  /** What the pre-flight says. */
  report: ReactNode;
}) {
  const recipients = estimate?.count;
  const api = useApi();
  const send = useAction({
    leaves: true,
    mutationFn: async () => {
      await flush();
      return api("POST /v1/campaigns/{id}/send", { params: { id: campaign.id }, body: {} });
    },
    onSuccess: () => {
      toast.success(t("{name} is on its way", { name: campaign.name }));
      onSent();
    },
  });
  const whom = recipients === undefined ? t("everybody in the audience") : people(recipients);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("Send “{name}” to {whom}?", { name: campaign.name, whom })}
      description={
        <>
          {rich("It goes to {audience}, {start}.", { audience, start: startWords(timing) })}{" "}
          {estimate && estimate.total > estimate.count && (
            <>
              {t("Of {total}, {count} can be reached. {excluded}", {
                total: people(estimate.total),
                count: count(estimate.count),
                excluded: skippedWords(estimate.excluded),
              })}{" "}
            </>
          )}
          {t("You can pause it, but emails that have gone out cannot be recalled.")}
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>{t("Not yet")}</Button>
          <Button variant="primary" pending={send.isPending} onClick={() => send.mutate()}>
            {t("Send to {whom}", { whom })}
          </Button>
        </>
      }
    >
      <div className="-mx-5 flex max-h-[45vh] flex-col gap-3 overflow-y-auto px-5">
        {send.isError && (
          <Callout kind="danger" alert>
            {messageOf(send.error)}
          </Callout>
        )}
        <CaptureNote />
        {report}
      </div>
    </Dialog>
  );
}

function nextMorning(): Date {
  const time = new Date();
  time.setDate(time.getDate() + 1);
  time.setHours(9, 0, 0, 0);
  return time;
}

interface Times {
  scheduledAt: string | null;
  sendBefore: string | null;
}
interface TimesDraft {
  /** Of the viewer's zone. */
  scheduledAt: string;
  /** An instant; empty: none. */
  sendBefore: string;
}
const timesDraft = ({ scheduledAt, sendBefore }: Times): TimesDraft => ({
  scheduledAt: localInput(scheduledAt ? new Date(scheduledAt) : nextMorning()),
  sendBefore: sendBefore ?? "",
});
const timesLabels = phrases({ scheduledAt: "When", sendBefore: "Latest time" });

/** Only what was changed: another tab may have changed the other time. */
const timesUpdate = ({ scheduledAt, sendBefore }: Partial<TimesDraft>) => ({
  ...(scheduledAt === undefined
    ? {}
    : { scheduledAt: instantOf(scheduledAt), timeZone: ownTimeZone() }),
  ...(sendBefore === undefined ? {} : { sendBefore: sendBefore || null }),
});

function timesFaults({ scheduledAt, sendBefore }: TimesDraft): Partial<TimesDraft> {
  const instant = instantOf(scheduledAt);
  if (!instant) return { scheduledAt: t("Choose a date and a time.") };
  if (new Date(instant).getTime() < Date.now()) {
    return { scheduledAt: t("This time has passed.") };
  }
  return sendBefore && sendBefore <= instant
    ? { sendBefore: t("This has to be after the start.") }
    : {};
}

/** Chooses a time in the viewer's zone, for a draft or for one that is scheduled already. */
export function ScheduleDialog({
  campaign,
  flush,
  onClose,
  onScheduled,
  times,
  report,
}: Shared & {
  onScheduled: () => void;
  times: Times & { updatedAt: string };
  /** What the pre-flight says. */
  report?: ReactNode;
}) {
  const api = useApi();
  const zone = ownTimeZone();
  const params = { id: campaign.id };
  // The page reads on behind the dialog: what was chosen here began with this.
  const [saved, setSaved] = useState(times);
  const { scheduledAt, sendBefore } = saved;
  const saves = useSaves<typeof times, TimesDraft, CampaignUpdate>({
    saved,
    onNewer: setSaved,
    draftOf: timesDraft,
    written: (body) => ({
      ...(body.scheduledAt ? { scheduledAt: localInput(new Date(body.scheduledAt)) } : {}),
      ...(body.sendBefore === undefined ? {} : { sendBefore: body.sendBefore ?? "" }),
    }),
    change: (body) => api("PATCH /v1/campaigns/{id}", { params, body }),
    read: () => api("GET /v1/campaigns/{id}", { params }),
  });
  const form = useForm({
    initial: () => timesDraft(times),
    schema: campaignUpdate,
    input: (draft, base) => timesUpdate(scheduledAt ? changedPart(base, draft) : draft),
    ...(scheduledAt ? { onUnchanged: onClose } : {}),
    check: timesFaults,
    leaves: true,
    send: async (body) => {
      await flush();
      if (scheduledAt) return saves.save(body);
      const { sendBefore: latest = null, scheduledAt: start = "" } = body;
      if (latest !== sendBefore) {
        await api("PATCH /v1/campaigns/{id}", {
          params,
          body: { sendBefore: latest, incomplete: true },
        });
      }
      return api("POST /v1/campaigns/{id}/schedule", {
        params,
        body: { scheduledAt: start, timeZone: zone },
      });
    },
    onSent: () => {
      toast.success(t("{name} is scheduled", { name: campaign.name }));
      onScheduled();
    },
  });
  return (
    <DialogForm
      title={scheduledAt ? t("Change the time") : t("Schedule “{name}”", { name: campaign.name })}
      description={t(
        "Sending starts automatically. The audience is worked out at that moment, and you can change anything until then.",
      )}
      action={scheduledAt ? t("Change the time") : t("Schedule")}
      onClose={onClose}
      form={form}
    >
      <Unsettled
        form={form}
        saves={saves}
        draftOf={timesDraft}
        keptAs={null}
        label={(field) => timesLabels[field]}
        tell={(draft, field) => {
          const instant = field === "sendBefore" ? draft.sendBefore : instantOf(draft.scheduledAt);
          return instant ? exactTime(new Date(instant), { seconds: false }) : "";
        }}
      />
      <Field
        label={t("When")}
        name="scheduledAt"
        hint={t("In your time zone, {zone}", { zone })}
        error={form.fault("scheduledAt")}
      >
        <Input {...form.text("scheduledAt")} type="datetime-local" />
      </Field>
      <LatestTime
        value={form.draft.sendBefore}
        onChange={(latest) => form.set({ sendBefore: latest })}
        error={form.fault("sendBefore")}
      />
      <CaptureNote />
      {report && <div className="max-h-[40vh] overflow-y-auto">{report}</div>}
    </DialogForm>
  );
}
