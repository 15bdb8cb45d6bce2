/** What the bars are stacked of, from the bottom; each has a name and a look of its own. */
export const series = [
  { key: "delivered", label: "Delivered", fill: "var(--color-ink)", swatch: "bg-ink" },
  {
    key: "underWay",
    label: "Sent, no report yet",
    fill: "url(#under-way)",
    swatch:
      "bg-[repeating-linear-gradient(135deg,var(--color-control)_0_2px,var(--color-neutral-wash)_2px_4px)]",
  },
  {
    key: "problems",
    label: "Bounced or failed",
    fill: "var(--color-accent)",
    swatch: "bg-accent",
  },
] as const;
