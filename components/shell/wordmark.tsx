import clsx from "clsx";

/** The mark: an envelope as a piece of type, cancelled by a postmark's waves. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 28" aria-hidden className={clsx("shrink-0", className)}>
      <rect width="28" height="28" rx="2.5" className="fill-accent" />
      <g fill="none" strokeWidth="1.75" className="stroke-on-accent">
        <path d="M5.5 8.5h17v11.5h-17z" />
        <path d="m5.5 9.5 8.5 6 8.5-6" />
      </g>
    </svg>
  );
}

export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={clsx("inline-flex items-center gap-2.5", className)}>
      <Mark className="size-7" />
      <span className="display text-xl leading-none">Lettermill</span>
    </span>
  );
}
