"use client";

import { Minus, Plus, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { changedPart } from "@/components/form/changed";
import { DialogForm } from "@/components/form/dialog-form";
import { Unsettled } from "@/components/form/unsaved-changes";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm, type Form } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { count } from "@/components/ui/numbers";
import { toast } from "@/components/ui/toast";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import type { Warmup, WarmupInput } from "@/lib/domain/warm-up/schema";
import { defaultSchedule } from "@/lib/domain/warm-up/terms";
import { listFormat } from "@/lib/ground/texts/formats";
import { phrases, t } from "@/lib/ground/texts/t";
import { steepDays } from "./warm-up-days";

const warmupInput = lazySchema(
  async () => (await import("@/lib/domain/warm-up/schema")).warmupInput,
);

interface Draft {
  enabled: boolean;
  startedOn: string;
  /** As typed. */
  caps: string[];
}

const utcToday = () => new Date().toISOString().slice(0, 10);
/** `1,500` and `1 500` mean `1500`; `1.5` is not accepted. */
const numberOf = (text: string) =>
  /^\d+$|^\d{1,3}(?:[,.\s]\d{3})+$/.test(text.trim()) ? Number(text.replace(/\D/g, "")) : NaN;
const numbers = (caps: readonly string[]) => caps.map(numberOf);

const draftOf = ({ enabled, startedOn, schedule }: Warmup): Draft => ({
  enabled,
  startedOn: (enabled ? startedOn : null) ?? utcToday(),
  caps: schedule.map(String),
});
const labels = phrases({
  enabled: "Warm-up",
  startedOn: "First day (UTC)",
  caps: "Emails a day",
});

function tell({ enabled, startedOn, caps }: Draft, field: keyof Draft): string {
  if (field === "enabled") return enabled ? t("On") : t("Off");
  return field === "caps" ? caps.join("\n") : startedOn;
}

const inputOf = (enabled: boolean, { startedOn, caps }: Partial<Draft>) => ({
  enabled,
  ...(startedOn === undefined ? {} : { startedOn }),
  ...(caps === undefined ? {} : { schedule: numbers(caps) }),
});

/** The dialog in which a plan is written, day by day. */
export function WarmupPlan({
  domain,
  warmup,
  onClose,
}: {
  domain: Domain;
  warmup: Warmup;
  onClose: () => void;
}) {
  const api = useApi();
  const params = { id: domain.id };
  // The page reads on behind the dialog: what was written here began with this.
  const [saved, setSaved] = useState(warmup);
  const saves = useSaves<Warmup, Draft, WarmupInput>({
    saved,
    onNewer: setSaved,
    draftOf,
    written: ({ enabled, startedOn, schedule }) => ({
      enabled,
      ...(startedOn === undefined ? {} : { startedOn }),
      ...(schedule === undefined ? {} : { caps: schedule.map(String) }),
    }),
    change: (body) => api("PUT /v1/domains/{id}/warmup", { params, body }),
    read: () => api("GET /v1/domains/{id}/warmup", { params }),
    // Who changes a plan that somebody has turned off would turn it on again.
    groups: [["enabled", "startedOn", "caps"]],
  });
  const form = useForm({
    initial: () => ({ ...draftOf(warmup), enabled: true }),
    schema: warmupInput,
    input: (draft, base) =>
      inputOf(draft.enabled, saved.enabled ? changedPart(base, draft) : draft),
    places: ["startedOn", "schedule"],
    ...(warmup.enabled || saved.enabled ? { onUnchanged: onClose } : {}),
    leaves: true,
    send: saves.save,
    onSent: () => {
      toast.success(saved.enabled ? t("The plan was changed") : t("The warm-up has started"));
      onClose();
    },
  });
  return (
    <DialogForm
      title={saved.enabled ? t("Change the plan") : t("Warm up {name}", { name: domain.name })}
      description={t(
        "How many emails may leave on each day, transactional ones included. After the last day there is no cap.",
      )}
      action={
        saved.enabled ? t("Save plan") : form.draft.enabled ? t("Start warm-up") : t("Leave it off")
      }
      onClose={onClose}
      form={form}
    >
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={null}
        label={(field) => labels[field]}
        tell={tell}
      />
      <Field
        label={t("First day (UTC)")}
        name="startedOn"
        hint={t("Earlier, if you began to warm it up elsewhere.")}
        error={form.fault("startedOn")}
      >
        <Input {...form.text("startedOn")} type="date" max={utcToday()} className="max-w-44" />
      </Field>
      <Days form={form} />
    </DialogForm>
  );
}

function Days({ form }: { form: Form<Draft> }) {
  const { caps } = form.draft;
  const schedule = numbers(caps);
  const largest = Math.max(1, ...schedule.filter(Number.isFinite));
  const steep = steepDays(schedule);
  const set = (changed: string[]) => form.set({ caps: changed });
  const last = schedule.at(-1);
  const next = last && Number.isFinite(last) ? Math.round(last * 1.2) : 100;
  const whole = form.fault("schedule");
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t("Emails a day")}</legend>
      {whole && <p className="text-sm text-danger">{whole}</p>}
      <ol className="max-h-80 overflow-y-auto border-y border-rule py-1 pr-1">
        {caps.map((cap, index) => (
          <li
            key={index}
            className="grid grid-cols-[3.75rem_7rem_minmax(0,1fr)] items-start gap-3 py-1"
          >
            <span className="py-3 text-xs text-faint">{t("Day {day}", { day: index + 1 })}</span>
            <Field
              label={t("Emails on day {day}", { day: index + 1 })}
              labelHidden
              error={form.fault(`schedule[${index}]`)}
            >
              <Input
                value={cap}
                inputMode="numeric"
                autoComplete="off"
                className="text-right tabular-nums"
                onChange={(event) =>
                  set(caps.map((old, at) => (at === index ? event.target.value : old)))
                }
              />
            </Field>
            <Share
              of={schedule[index] ?? NaN}
              largest={largest}
              steep={steep.includes(index + 1)}
            />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          onClick={() => set([...caps, String(next)])}
          disabled={caps.length >= 365}
        >
          <Plus aria-hidden /> {t("Add a day")}
        </Button>
        <Button size="sm" onClick={() => set(caps.slice(0, -1))} disabled={caps.length <= 1}>
          <Minus aria-hidden /> {t("Remove the last")}
        </Button>
        <Button size="sm" onClick={() => set(defaultSchedule.map(String))}>
          <RotateCcw aria-hidden /> {t("Default plan")}
        </Button>
      </div>
      {steep.length > 0 && (
        <Callout kind="warning">
          {t(
            "{count, plural, one {Day {days} is} other {Days {days} are}} more than double the day before: providers may take that for spam.",
            {
              count: steep.length,
              days: listFormat({ type: "unit" }).format(steep.map(String)),
            },
          )}
        </Callout>
      )}
    </fieldset>
  );
}

/** How long a day's bar is: on a logarithmic scale, or the first days would be invisible. */
function Share({ of, largest, steep }: { of: number; largest: number; steep: boolean }) {
  const share = Number.isFinite(of) ? Math.log(of + 1) / Math.log(largest + 1) : 0;
  return (
    <span className="my-3 block h-4" title={Number.isFinite(of) ? count(of) : ""} aria-hidden>
      <span
        className={`block h-full rounded-sm ${steep ? "bg-warning" : "bg-ink"}`}
        style={{ width: `${Math.min(100, Math.max(1, share * 100))}%` }}
      />
    </span>
  );
}
