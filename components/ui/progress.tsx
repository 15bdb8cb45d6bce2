import { Progress as BaseProgress } from "@base-ui/react/progress";
import clsx from "clsx";

const tones = { accent: "bg-accent", success: "bg-success", warning: "bg-warning" } as const;
export type ProgressTone = keyof typeof tones;

const percentOf = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 100);

/**
 * How far something is, as a bar. `value` from 0 to 1, null while that is not known. `mark`: how far it should be, a
 * line across; say it in words beside the bar, too.
 */
export function Progress({
  label,
  value,
  tone = "accent",
  mark = null,
}: {
  label: string;
  value: number | null;
  tone?: ProgressTone;
  mark?: number | null;
}) {
  const percent = value === null ? null : percentOf(value);
  return (
    <BaseProgress.Root value={percent} aria-label={label}>
      <BaseProgress.Track className="relative h-2.5 overflow-hidden rounded-full border border-rule-strong bg-sunken">
        <BaseProgress.Indicator
          className={clsx(
            "h-full transition-[width]",
            percent === null ? "w-full animate-pulse bg-accent/30" : tones[tone],
          )}
        />
        {mark !== null && (
          <span
            className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-ink"
            style={{ left: `${percentOf(mark)}%` }}
          />
        )}
      </BaseProgress.Track>
    </BaseProgress.Root>
  );
}
