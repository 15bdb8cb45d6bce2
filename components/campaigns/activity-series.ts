/** The bars of an hour or day, side by side. */
export const activitySeries = [
  { key: "opened", label: "Opened", fill: "var(--color-ink)", swatch: "bg-ink" },
  { key: "clicked", label: "Clicked", fill: "var(--color-accent)", swatch: "bg-accent" },
] as const;
