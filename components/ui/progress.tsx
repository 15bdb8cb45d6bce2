import { Progress as BaseProgress } from "@base-ui/react/progress";

/** How far something is, as a bar. `value` from 0 to 1, null while that is not known. */
export function Progress({ label, value }: { label: string; value: number | null }) {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <BaseProgress.Root value={percent} aria-label={label}>
      <BaseProgress.Track className="h-2.5 overflow-hidden rounded-full border border-rule-strong bg-sunken">
        <BaseProgress.Indicator
          className={`h-full transition-[width] ${percent === null ? "w-full animate-pulse bg-accent/30" : "bg-accent"}`}
        />
      </BaseProgress.Track>
    </BaseProgress.Root>
  );
}
