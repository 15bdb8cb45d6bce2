"use client";

import clsx from "clsx";
import type { ReactNode } from "react";
import { Callout } from "@/components/ui/callout";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Facts } from "@/components/ui/description-list";
import { ExactTime } from "@/components/ui/relative-time";
import { TableSkeleton } from "@/components/ui/skeleton";
import type { MergeInput, MergePerson, MergePreview } from "@/lib/domain/contact-merges/schema";
import { t } from "@/lib/ground/texts/t";
import { differences, lossWords, type Difference } from "./merge-words";
import { PersonStatus } from "./person-status";
import { statusWords } from "./subscription-words";

type Fields = NonNullable<MergeInput["fields"]>;

/** What two contacts have, which of their values stay, what the one contact will be, and what is lost. */
export function MergeComparison({
  preview,
  pending,
  fields,
  onChange,
}: {
  preview: MergePreview | undefined;
  pending: boolean;
  fields: Fields;
  onChange: (fields: Fields) => void;
}) {
  if (!preview) return pending ? <TableSkeleton rows={4} columns={2} /> : null;
  const { contact, other, result, waiting } = preview;
  const differing = differences(contact, other);
  return (
    <div className="grid gap-6">
      <div className="grid grid-cols-2 gap-x-5 gap-y-4">
        <Person title={t("This contact")} person={contact} />
        <Person title={t("The other contact")} person={other} />
      </div>
      {differing.length > 0 && (
        <section className="grid gap-4 border-t pt-4">
          <h3 className="display text-lg">{t("What stays")}</h3>
          {differing.map((difference) => (
            <Choice
              key={difference.key}
              difference={difference}
              value={difference.chosen(fields)}
              onChange={(side) => onChange(difference.choose(fields, side))}
            />
          ))}
        </section>
      )}
      <section className={clsx("border-t pt-4", pending && "opacity-60")} aria-busy={pending}>
        <h3 className="display mb-1 text-lg">{t("Afterwards")}</h3>
        <Facts items={factsOf(result)} />
      </section>
      <Callout kind="warning" title={t("Merging cannot be undone")}>
        <ul className="mt-1 grid list-disc gap-1 ps-4">
          {lossWords(preview).map((words) => (
            <li key={words}>{words}</li>
          ))}
          {waiting > 0 && (
            <li>
              {t(
                "{count, plural, one {# waiting email is} other {# waiting emails are}} not sent: the person gets the same campaign at the other address.",
                { count: waiting },
              )}
            </li>
          )}
        </ul>
      </Callout>
    </div>
  );
}

function Choice({
  difference: { label, contact, other },
  value,
  onChange,
}: {
  difference: Difference;
  value: "contact" | "other";
  onChange: (side: "contact" | "other") => void;
}) {
  return (
    <ChoiceCards
      label={label}
      value={value}
      onChange={onChange}
      options={[
        { value: "contact", label: contact, hint: t("This contact") },
        { value: "other", label: other, hint: t("The other contact") },
      ]}
    />
  );
}

const nameOf = ({ firstName, lastName }: MergePerson) => `${firstName} ${lastName}`.trim();
const none = () => <span className="text-faint">{t("none")}</span>;

function listsOf({ lists }: MergePerson): ReactNode {
  if (lists.length === 0) return none();
  return lists
    .map(({ name, status }) =>
      status === "subscribed" ? name : `${name} (${statusWords[status]})`,
    )
    .join(", ");
}

function factsOf(person: MergePerson): { label: string; value: ReactNode }[] {
  const { email, state, tags, topicsLeft, pausedUntil, onceAWeekAtMost, data } = person;
  const attributes = Object.keys(data).length;
  return [
    { label: t("Email"), value: email },
    { label: t("Name"), value: nameOf(person) || none() },
    { label: t("Campaigns"), value: <PersonStatus state={state} /> },
    { label: t("Tags"), value: tags.join(", ") || none() },
    { label: t("Lists"), value: listsOf(person) },
    { label: t("Attributes"), value: attributes === 0 ? none() : Object.keys(data).join(", ") },
    ...(topicsLeft.length > 0
      ? [{ label: t("Wants nothing about"), value: topicsLeft.map(({ name }) => name).join(", ") }]
      : []),
    ...(pausedUntil
      ? [{ label: t("Asked for a break until"), value: <ExactTime value={pausedUntil} /> }]
      : []),
    ...(onceAWeekAtMost
      ? [{ label: t("How often"), value: t("one campaign a week at most") }]
      : []),
  ];
}

/** Narrow: two stand side by side, on phones, too. */
function Person({ title, person }: { title: string; person: MergePerson }) {
  return (
    <section className="min-w-0">
      <h3 className="eyebrow">{title}</h3>
      <p className="mt-1 font-medium wrap-anywhere">{person.email}</p>
      <dl className="mt-2 grid gap-2 text-sm">
        {factsOf(person)
          .slice(1)
          .map(({ label, value }) => (
            <div key={label}>
              <dt className="text-xs text-faint">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
