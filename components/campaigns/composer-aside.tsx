"use client";

import { CalendarClock, MailCheck, Send } from "lucide-react";
import { messageOf } from "@/components/api/faults";
import { skippedWords } from "@/components/contacts/skipped-words";
import { useMay } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import { Button } from "@/components/ui/button";
import { count, people } from "@/components/ui/numbers";
import type { ApiInput } from "@/lib/doors/http/client";
import type { PreflightPlace } from "@/lib/domain/preflight/schema";
import { t } from "@/lib/ground/texts/t";
import { StepMark } from "./composer-parts";
import type { Draft, Step } from "./draft";
import { PreflightReport } from "./preflight-report";
import type { PreflightState } from "./use-preflight";

export type ComposerDialog = "send" | "schedule" | "test";

/** How many people would get it now; asked again when the choice changes, and every half minute. */
export function useEstimate(draft: Draft) {
  const choice = useSettled(
    JSON.stringify({
      segmentId: draft.audience === "segment" ? draft.segmentId : null,
      listId: draft.audience === "list" ? draft.listId : null,
      topicId: draft.topicId || null,
    }),
  );
  return useRead(
    "POST /v1/campaigns/audience",
    { body: JSON.parse(choice) as ApiInput<"POST /v1/campaigns/audience">["body"] },
    { enabled: !choice.includes('""'), every: 30_000, retry: false },
  );
}

/** Stays in sight while somebody writes: how many people get it, what is left to do, and the buttons to send. */
export function ComposerAside({
  draft,
  steps,
  preflight,
  onGoTo,
  recipients,
  opening,
  onOpen,
}: {
  draft: Draft;
  steps: readonly Step[];
  preflight: PreflightState;
  onGoTo: (place: PreflightPlace) => void;
  recipients: ReturnType<typeof useEstimate>;
  /** The dialog that opens once everything is saved. */
  opening: ComposerDialog | null;
  onOpen: (dialog: ComposerDialog) => void;
}) {
  const may = useMay("editor");
  const isOpen = (id: string) => steps.some((step) => step.id === id && step.todo !== null);
  const incomplete = steps.some(({ todo }) => todo !== null);
  return (
    <aside
      aria-label={t("Checklist")}
      className="top-6 flex flex-col gap-5 overflow-y-auto rounded-md border border-rule-strong bg-sheet p-5 lg:sticky lg:max-h-[calc(100dvh-3rem)]"
    >
      <div>
        <p className="eyebrow">{t("Recipients")}</p>
        <p className="display mt-1 text-3xl" data-testid="estimate" aria-live="polite">
          {recipients.data ? count(recipients.data.count) : "…"}
        </p>
        <p className="mt-0.5 text-xs text-faint">
          {recipients.isError
            ? messageOf(recipients.error)
            : isOpen("audience")
              ? t("once you have chosen an audience")
              : t("{count, plural, one {person, as of now} other {people, as of now}}", {
                  count: recipients.data?.count ?? 0,
                })}
        </p>
        {recipients.data && recipients.data.total > recipients.data.count && (
          <p className="mt-1.5 text-xs text-soft">
            {t("Of {total} in the audience. {excluded}", {
              total: people(recipients.data.total),
              excluded: skippedWords(recipients.data.excluded),
            })}
          </p>
        )}
      </div>
      {may && (
        <div className="grid grid-cols-2 gap-2">
          <Button
            variant="primary"
            size="lg"
            className="col-span-2"
            disabled={incomplete}
            pending={opening === "send"}
            onClick={() => onOpen("send")}
          >
            <Send aria-hidden />
            {recipients.data
              ? t("Send to {people}", { people: people(recipients.data.count) })
              : t("Send now")}
          </Button>
          <Button
            disabled={incomplete}
            pending={opening === "schedule"}
            onClick={() => onOpen("schedule")}
          >
            <CalendarClock aria-hidden /> {t("Schedule")}
          </Button>
          <Button
            disabled={steps.some(({ id, todo }) => id !== "audience" && todo !== null)}
            pending={opening === "test"}
            onClick={() => onOpen("test")}
          >
            <MailCheck aria-hidden /> {t("Send a test")}
          </Button>
        </div>
      )}
      <ol className="flex flex-col gap-2.5 border-t pt-4 text-sm">
        {steps.map(({ id, label, todo }, index) => (
          <li key={id} className="flex items-center gap-2.5">
            <StepMark number={index + 1} done={todo === null} />
            <span className="min-w-0">
              <a href={`#${id}`} className="font-medium hover:text-accent-ink">
                {label}
              </a>
              <span className="block text-xs wrap-anywhere text-faint">{todo ?? t("Done")}</span>
            </span>
          </li>
        ))}
      </ol>
      <div className="border-t pt-4">
        <PreflightReport preflight={preflight} draft={draft} onGoTo={onGoTo} compact />
      </div>
    </aside>
  );
}
