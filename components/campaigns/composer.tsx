"use client";

import { CalendarClock, MailCheck, Send } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { fieldFault, formFault, messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useUnsaved } from "@/components/form/use-unsaved";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import type { Campaign } from "@/lib/domain/campaigns/schema";
import { CampaignMenu } from "./campaign-menu";
import { CampaignStatus } from "./campaign-status";
import { link, StepMark, StepSection, type ComposerOptions } from "./composer-parts";
import { AudienceStep, SenderStep, SubjectStep, TrackingStep } from "./composer-steps";
import { ContentStep, useTemplateBody } from "./content-step";
import { stepsOf, toDraft, type Draft } from "./draft";
import { count, people } from "@/components/ui/numbers";
import { preflight } from "./preflight";
import { ScheduleDialog, SendNowDialog, TestDialog } from "./send-dialogs";
import { useAutosave } from "./use-autosave";

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
  "utm.source",
  "utm.medium",
  "utm.campaign",
];

/** Writes a campaign step by step, and saves it along the way. */
export function Composer({ initial, options }: { initial: Campaign; options: ComposerOptions }) {
  const path = useProjectPath();
  const may = useMay("editor");
  const router = useRouter();
  const [first] = useState(() => toDraft(initial));
  const [draft, setDraft] = useState(first);
  const [dialog, setDialog] = useState<"send" | "schedule" | "test" | null>(null);
  const { dirty, saving, error, flush } = useAutosave(initial, draft, first);
  useUnsaved(may && dirty);
  const set = (part: Partial<Draft>) => may && setDraft((before) => ({ ...before, ...part }));
  const fault = (at: string) => fieldFault(error, at);
  const steps = stepsOf(draft, options.domains);
  const done = (id: string) => steps.every((step) => step.id !== id || step.todo === null);
  const recipients = useEstimate(draft);
  const campaign = { id: initial.id, name: draft.name || initial.name };
  const close = () => setDialog(null);
  const moved = () => {
    close();
    router.refresh();
  };
  const step = { draft, set, fault, options };
  const whole = formFault(error, paths);
  const shared = { campaign, onClose: close, flush };
  return (
    <>
      <PageHeader
        title={campaign.name}
        back={{ href: path("campaigns"), label: "Campaigns" }}
        meta={
          <>
            <CampaignStatus status="DRAFT" />
            <span className="text-sm text-soft" role="status">
              {error ? "Not saved" : saving ? "Saving…" : dirty ? "Not saved yet" : "Saved"}
            </span>
            <CopyableCode text={initial.id} what="campaign id" />
          </>
        }
        actions={may && <CampaignMenu campaign={initial} flush={flush} />}
      />
      {whole && (
        <div className="mb-5">
          <Callout kind="danger" alert title="Your changes are not saved">
            {whole}
          </Callout>
        </div>
      )}
      <fieldset
        disabled={!may}
        className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_19rem]"
      >
        <legend className="sr-only">Campaign</legend>
        <div className="flex min-w-0 flex-col gap-8">
          <Field
            label="Name"
            name="name"
            hint="Only you and your team see it."
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
            title="Audience"
            done={done("audience")}
            hint="Unsubscribed and suppressed people are always left out."
          >
            <AudienceStep {...step} />
          </StepSection>
          <StepSection
            id="sender"
            number={2}
            title="Sender"
            done={done("sender")}
            hint="Who it is from, and where replies go."
          >
            <SenderStep {...step} />
          </StepSection>
          <StepSection
            id="subject"
            number={3}
            title="Subject"
            done={done("subject")}
            hint="What people see before they open the email."
          >
            <SubjectStep {...step} />
          </StepSection>
          <StepSection
            id="content"
            number={4}
            title="Content"
            done={done("content")}
            hint="What they read. The unsubscribe links and your postal address are added at the end."
          >
            <ContentStep {...step} />
          </StepSection>
          <StepSection
            id="tracking"
            number={5}
            title="Tracking"
            done
            hint="What is counted. The defaults are fine for most campaigns."
          >
            <TrackingStep {...step} />
          </StepSection>
        </div>
        <aside
          aria-label="Checklist"
          className="top-6 flex flex-col gap-5 rounded-md border border-rule-strong bg-sheet p-5 lg:sticky"
        >
          <div>
            <p className="eyebrow">Recipients</p>
            <p className="display mt-1 text-3xl" data-testid="estimate" aria-live="polite">
              {recipients.data ? count(recipients.data.count) : "…"}
            </p>
            <p className="mt-0.5 text-xs text-faint">
              {recipients.isError
                ? messageOf(recipients.error)
                : !done("audience")
                  ? "once you have chosen an audience"
                  : "people, as of now"}
            </p>
          </div>
          <ol className="flex flex-col gap-2.5 border-t pt-4 text-sm">
            {steps.map(({ id, label, todo }, index) => (
              <li key={id} className="flex items-center gap-2.5">
                <StepMark number={index + 1} done={todo === null} />
                <span className="min-w-0">
                  <a href={`#${id}`} className="font-medium hover:text-accent-ink">
                    {label}
                  </a>
                  <span className="block text-xs wrap-anywhere text-faint">{todo ?? "Done"}</span>
                </span>
              </li>
            ))}
          </ol>
          <Warnings draft={draft} options={options} />
          {may && (
            <div className="flex flex-col gap-2 border-t pt-4">
              <Button
                variant="primary"
                size="lg"
                disabled={steps.some(({ todo }) => todo !== null)}
                onClick={() => setDialog("send")}
              >
                <Send aria-hidden />
                {recipients.data ? `Send to ${people(recipients.data.count)}` : "Send now"}
              </Button>
              <Button
                disabled={steps.some(({ todo }) => todo !== null)}
                onClick={() => setDialog("schedule")}
              >
                <CalendarClock aria-hidden /> Schedule
              </Button>
              <Button
                disabled={steps.some(({ id, todo }) => id !== "audience" && todo !== null)}
                onClick={() => setDialog("test")}
              >
                <MailCheck aria-hidden /> Send a test
              </Button>
            </div>
          )}
        </aside>
      </fieldset>
      {dialog === "send" && (
        <SendNowDialog
          {...shared}
          onSent={moved}
          recipients={recipients.data?.count}
          audience={audienceName(draft, options)}
        />
      )}
      {dialog === "schedule" && (
        <ScheduleDialog {...shared} onScheduled={moved} scheduledAt={null} />
      )}
      {dialog === "test" && <TestDialog {...shared} email={options.email} />}
    </>
  );
}

function audienceName(draft: Draft, options: ComposerOptions): string {
  const named = (things: readonly { id: string; name: string }[], id: string) =>
    things.find((thing) => thing.id === id)?.name ?? "";
  if (draft.audience === "segment") {
    return `subscribed people in the segment “${named(options.segments, draft.segmentId)}”`;
  }
  if (draft.audience === "list") {
    return `subscribed people on the list “${named(options.lists, draft.listId)}”`;
  }
  return "everybody who is subscribed";
}

/** How many people would get it now; asked again when the choice changes, and every half minute. */
function useEstimate(draft: Draft) {
  const choice = useSettled(
    JSON.stringify({
      segmentId: draft.audience === "segment" ? draft.segmentId : null,
      listId: draft.audience === "list" ? draft.listId : null,
    }),
  );
  return useRead(
    "POST /v1/campaigns/audience",
    { body: JSON.parse(choice) as { segmentId: string | null; listId: string | null } },
    { enabled: !choice.includes('""'), every: 30_000, retry: false },
  );
}

function Warnings({ draft, options }: { draft: Draft; options: ComposerOptions }) {
  const path = useProjectPath();
  const templateBody = useTemplateBody(draft.content === "template" ? draft.templateId : null);
  const list = draft.audience === "list" && options.lists.find(({ id }) => id === draft.listId);
  const warnings = preflight({
    html: useSettled(draft.content === "template" ? (templateBody ?? "") : draft.body),
    address: options.postalAddress !== "" || (list && list.address) === true,
  });
  if (warnings.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 border-t pt-4">
      {warnings.map(({ id, kind, title, text }) => (
        <Callout key={id} kind={kind} title={title}>
          {text}
          {id === "address" && (
            <>
              {" "}
              <Link className={link} href={path("settings")}>
                add it in the settings
              </Link>
            </>
          )}
        </Callout>
      ))}
    </div>
  );
}
