"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { fieldFault, formFault } from "@/components/api/faults";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { Conflict } from "@/components/form/conflict";
import { KeptWritingOffer } from "@/components/form/local-draft-offer";
import { OthersHere } from "@/components/form/others-here";
import { useUnsavedOnClose } from "@/components/form/use-unsaved";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import type { Campaign } from "@/lib/domain/campaigns/schema";
import type { PreflightPlace } from "@/lib/domain/preflight/schema";
import { t } from "@/lib/ground/texts/t";
import { AbTestFields } from "./ab-test-fields";
import { CampaignMenu } from "./campaign-menu";
import { CampaignStatus } from "./campaign-status";
import { ComposerAside, useEstimate, type ComposerDialog } from "./composer-aside";
import { audienceName, nameIn, StepSection, type ComposerOptions } from "./composer-parts";
import { PersonalTimeStep } from "./personal-time-step";
import { AudienceStep, SenderStep, SubjectStep, TrackingStep } from "./composer-steps";
import { ComposerVersions } from "./composer-versions";
import { ContentStep, useContent } from "./content-step";
import { abTestPaths, differencesOf, stepsOf, timingOf, type Draft } from "./draft";
import { focusField, toJump, type Jump } from "./jump";
import { PreflightReport } from "./preflight-report";
import { usePreflight } from "./use-preflight";
import { useTopOnceGone } from "./use-top-once-gone";
import { ScheduleDialog, SendNowDialog } from "./send-dialogs";
import { TestDialog } from "./test-dialog";
import { useDraft } from "./use-draft";
import { useChosenNames } from "./use-chosen-names";

const paths = [
  "name",
  "subject",
  "previewText",
  "from",
  "fromName",
  "replyTo",
  "body",
  "templateId",
  "segmentId",
  "listId",
  "topicId",
  "utm.source",
  "utm.medium",
  "utm.campaign",
  "personalTime",
  "personalTime.at",
  "sendBefore",
  ...abTestPaths,
];

/** Writes a campaign step by step, and saves it along the way. */
export function Composer({
  initial,
  options: offered,
}: {
  initial: Campaign;
  options: ComposerOptions;
}) {
  const path = useProjectPath();
  const may = useMay("editor");
  const router = useRouter();
  const [dialog, setDialog] = useState<ComposerDialog | null>(null);
  const [opening, setOpening] = useState<ComposerDialog | null>(null);
  const [jump, setJump] = useState<Jump | null>(null);
  const writing = useDraft(initial);
  const { draft, dirty, saving, error, conflict, sync, kept } = writing;
  const flush = () => sync.flush();
  useUnsavedOnClose(may && dirty);
  const set = (part: Partial<Draft>) => {
    if (may) sync.set(part);
  };
  const content = useContent(draft);
  const fault = (at: string) => fieldFault(error, at) ?? fieldFault(content.preview.error, at);
  const options = useChosenNames(draft, offered);
  const steps = stepsOf(draft, options.domains, (at) => fault(at) !== null);
  const done = (id: string) => steps.every((step) => step.id !== id || step.todo === null);
  const recipients = useEstimate(draft);
  const preflight = usePreflight(initial.id, writing.version);
  const goTo = (place: PreflightPlace) => {
    const next = toJump(place);
    setDialog(null);
    if (place.path === "body") content.setTab(draft.design && place.excerpt ? "visual" : "source");
    setJump(next);
    // After the dialog has given the focus back.
    setTimeout(() => focusField(next));
  };
  const campaign = { id: initial.id, name: draft.name || initial.name };
  const close = () => setDialog(null);
  // A refusal is shown where the fault was written, not after somebody has confirmed.
  const open = async (wanted: ComposerDialog) => {
    setOpening(wanted);
    const isSaved = await flush().then(
      () => true,
      () => false,
    );
    setOpening(null);
    if (isSaved) setDialog(wanted);
  };
  const toTop = useTopOnceGone();
  const moved = () => {
    close();
    toTop();
    router.refresh();
  };
  const step = { draft, set, fault, options, jump };
  const whole = formFault(error, paths);
  const shared = { campaign, onClose: close, flush };
  const report = <PreflightReport preflight={preflight} draft={draft} onGoTo={goTo} />;
  return (
    <>
      <PageHeader
        title={campaign.name}
        back={{ href: path("campaigns"), label: t("Campaigns") }}
        meta={
          <>
            <CampaignStatus status="DRAFT" />
            <span className="text-sm text-soft" role="status">
              {error || conflict
                ? t("Not saved")
                : saving
                  ? t("Saving…")
                  : dirty
                    ? t("Not saved yet")
                    : t("Saved")}
            </span>
            <CopyableCode text={initial.id} what={t("campaign id")} />
          </>
        }
        actions={
          <>
            <ComposerVersions campaignId={initial.id} writing={writing} />
            {may && <CampaignMenu campaign={initial} flush={flush} />}
          </>
        }
      />
      <OthersHere of="POST /v1/campaigns/{id}/presence" id={initial.id} />
      {whole && (
        <div className="mb-5">
          <Callout kind="danger" alert title={t("Your changes are not saved")}>
            {whole}
          </Callout>
        </div>
      )}
      {kept && (
        <KeptWritingOffer at={kept.at} onRestore={writing.restore} onDiscard={writing.discard} />
      )}
      {conflict && (
        <Conflict
          differences={differencesOf(conflict.fields, draft, conflict.theirs, nameIn(options))}
          onKeepMine={() => sync.keepMine()}
          onTakeTheirs={() => sync.takeTheirs()}
        />
      )}
      <fieldset
        disabled={!may}
        className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_19rem]"
      >
        <legend className="sr-only">{t("Campaign")}</legend>
        <div className="flex min-w-0 flex-col gap-8">
          <Field
            label={t("Name")}
            name="name"
            hint={t("Only you and your team see it.")}
            error={fault("name")}
            className="sm:pl-12"
          >
            <Input
              value={draft.name}
              maxLength={200}
              autoComplete="off"
              onChange={({ target }) => set({ name: target.value })}
            />
          </Field>
          <StepSection
            id="audience"
            number={1}
            title={t("Audience")}
            done={done("audience")}
            hint={t("Unsubscribed and suppressed people are always left out.")}
          >
            <AudienceStep {...step} />
          </StepSection>
          <StepSection
            id="sender"
            number={2}
            title={t("Sender")}
            done={done("sender")}
            hint={t("The sender people see, and where replies go.")}
          >
            <SenderStep {...step} />
          </StepSection>
          <StepSection
            id="subject"
            number={3}
            title={t("Subject")}
            done={done("subject")}
            hint={t("What people see before they open the email.")}
          >
            <SubjectStep {...step} />
            <AbTestFields {...step} people={recipients.data?.count} content={content.shown} />
          </StepSection>
          <StepSection
            id="content"
            number={4}
            title={t("Content")}
            done={done("content")}
            hint={t(
              "The text of the email. The unsubscribe links and your postal address are added at the end.",
            )}
          >
            <ContentStep {...step} content={content} />
          </StepSection>
          <StepSection
            id="tracking"
            number={5}
            title={t("Tracking")}
            done
            hint={t(
              "Whether opens and clicks are counted. The defaults are fine for most campaigns.",
            )}
          >
            <TrackingStep {...step} />
          </StepSection>
          <StepSection
            id="timing"
            number={6}
            title={t("Timing")}
            done
            hint={t(
              "To everybody at once, or at a time that suits each person within a day of the start. You can also set a deadline.",
            )}
          >
            <PersonalTimeStep {...step} />
          </StepSection>
        </div>
        <ComposerAside
          draft={draft}
          steps={steps}
          preflight={preflight}
          onGoTo={goTo}
          recipients={recipients}
          opening={opening}
          onOpen={(wanted) => void open(wanted)}
        />
      </fieldset>
      {dialog === "send" && (
        <SendNowDialog
          {...shared}
          onSent={moved}
          estimate={recipients.data}
          audience={audienceName(draft, options)}
          timing={timingOf(draft)}
          report={report}
        />
      )}
      {dialog === "schedule" && (
        <ScheduleDialog
          {...shared}
          onScheduled={moved}
          times={{
            scheduledAt: null,
            sendBefore: draft.sendBefore || null,
            updatedAt: writing.version,
          }}
          report={report}
        />
      )}
      {dialog === "test" && <TestDialog {...shared} email={options.email} />}
    </>
  );
}
