"use client";

import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import type { Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Callout } from "@/components/ui/callout";
import { LinkButton } from "@/components/ui/button";
import { Figure } from "@/components/ui/description-list";
import { count, percent } from "@/components/ui/numbers";
import { PeriodTabs } from "@/components/ui/period-tabs";
import type { Form, FormFigures } from "@/lib/domain/forms/schema";
import { useForm } from "./form-header";

const signUpBars: readonly Bar<"sent" | "confirmed">[] = [
  { key: "sent", label: "Sent", fill: "var(--color-control)", swatch: "bg-control" },
  { key: "confirmed", label: "Confirmed", fill: "var(--color-accent)", swatch: "bg-accent" },
];
const visitBars: readonly Bar<"seen" | "refused">[] = [
  { key: "seen", label: "Seen", fill: "var(--color-ink)", swatch: "bg-ink" },
  { key: "refused", label: "Refused", fill: "var(--color-accent)", swatch: "bg-accent" },
];

export const periods = [30, 90, 365] as const;

const share = (part: number, of: number, what: string) =>
  of > 0 ? { note: `${percent(part / of)} of ${what}` } : {};

/** How a form does: seen, sent and confirmed over a period. */
export function FormResults({
  form: initial,
  figures,
  days,
}: {
  form: Form;
  figures: FormFigures;
  days: number;
}) {
  const path = useProjectPath();
  const form = useForm(initial).data;
  const reading = useRead(
    "GET /v1/forms/{id}/figures",
    { params: { id: form.id }, query: { days } },
    { initial: figures, every: 30_000 },
  );
  const buckets = reading.data.data.map(({ day, ...rest }) => ({
    at: `${day}T00:00:00Z`,
    ...rest,
  }));
  const sum = (figure: "seen" | "sent" | "confirmed" | "refused") =>
    buckets.reduce((total, bucket) => total + bucket[figure], 0);
  const [seen, sent, confirmed, refused] = [
    ...[sum("seen"), sum("sent"), sum("confirmed"), sum("refused")],
  ] as [number, number, number, number];
  const unused = form.figures.seen === 0 && form.figures.sent === 0;
  return (
    <div className="flex flex-col gap-9">
      <NotUpToDate of={reading} title="These figures are out of date" />
      {!form.open && (
        <Callout kind="info" title="This form is closed">
          Visitors are told that nobody can sign up at the moment.
        </Callout>
      )}
      {form.open && unused && (
        <Callout kind="info" title="Nobody has seen this form yet">
          <p>Link to its page, or put it on your own.</p>
          <LinkButton href={path(`forms/${form.id}/share`)} size="sm" className="mt-2">
            Put it on your page
          </LinkButton>
        </Callout>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-5">
        <dl className="grid grow grid-cols-2 gap-x-6 gap-y-5 sm:max-w-2xl sm:grid-cols-4">
          <Figure label="Seen" value={count(seen)} />
          <Figure label="Sent" value={count(sent)} {...share(sent, seen, "seen")} />
          <Figure label="Confirmed" value={count(confirmed)} {...share(confirmed, sent, "sent")} />
          <Figure label="Refused" value={count(refused)} note="taken for programs" />
        </dl>
        <PeriodTabs
          periods={periods.map((period) => ({
            label: period === 365 ? "A year" : `${period} days`,
            href: `${path(`forms/${form.id}`)}?days=${period}`,
            current: period === days,
          }))}
        />
      </div>
      <ChartFigure
        title="Sign-ups by day"
        description="A sign-up counts as sent on its day, and as confirmed on the day the link in the email was used."
        unit="Sign-ups"
        bars={signUpBars}
        buckets={buckets}
        width="day"
        empty="No sign-ups in this period."
      />
      <ChartFigure
        title="Visits by day"
        description="How often the form was shown, here or on your page. Visitors are not identified, and no cookie is set."
        unit="Visits"
        bars={visitBars}
        buckets={buckets}
        width="day"
        empty="Nobody saw the form in this period."
      />
    </div>
  );
}
