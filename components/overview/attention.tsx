"use client";

import { ArrowRight, CircleCheck, TriangleAlert } from "lucide-react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Attention, Overview } from "@/lib/domain/overview/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";

interface Matter {
  key: string;
  title: string;
  /** The reason, in the words of whoever gave it. */
  words: string | null;
  /** Below the project. */
  href: string;
  action: string;
}

const matters: Record<Attention["kind"], (of: Attention) => Omit<Matter, "key" | "words">> = {
  connection: ({ name }) => ({
    title: t("The sending connection {name} is in trouble", { name }),
    href: "sending",
    action: t("See what waits"),
  }),
  limit: ({ name }) => ({
    title: t("{name} emails of this month’s limit are used", { name }),
    href: "settings",
    action: t("See the limit"),
  }),
  domain: ({ id, name }) => ({
    title: t("The DNS records of {name} are not in order", { name }),
    href: `domains/${id}`,
    action: t("Check the records"),
  }),
  campaign: ({ id, name }) => ({
    title: t("“{name}” was paused", { name }),
    href: `campaigns/${id}`,
    action: t("Decide what happens"),
  }),
  webhook: ({ id, name }) => ({
    title: t("The webhook {name} is not answered", { name }),
    href: `webhooks/${id}`,
    action: t("See its calls"),
  }),
};

const dayMilliseconds = 86_400_000;
/** The log goes by when mail was accepted: a complaint of this week is often about last week's. */
const listedDays = 14;

function rateMatters({ health, buckets }: Overview): Matter[] {
  const newest = Date.parse(buckets.at(-1)?.at ?? "");
  const since = Number.isNaN(newest)
    ? ""
    : `&startDate=${new Date(newest - listedDays * dayMilliseconds).toISOString().slice(0, 10)}`;
  const of = (
    kind: "bounces" | "complaints",
    titles: { many: string; tooMany: string },
    href: string,
  ): Matter[] =>
    health[kind] === null || health[kind] === "healthy"
      ? []
      : [
          {
            key: kind,
            title: health[kind] === "high" ? titles.many : titles.tooMany,
            words:
              health[kind] === "high"
                ? t("Mailbox providers begin to hold mail back.")
                : t(
                    "Mailbox providers refuse senders with so many. Campaigns are paused before they make it worse.",
                  ),
            href,
            action: t("See which mail"),
          },
        ];
  return [
    ...of(
      "complaints",
      {
        many: t("Complaints are many in the last 7 days"),
        tooMany: t("Complaints are too many in the last 7 days"),
      },
      `emails?event=complained${since}`,
    ),
    ...of(
      "bounces",
      {
        many: t("Bounces are many in the last 7 days"),
        tooMany: t("Bounces are too many in the last 7 days"),
      },
      `emails?event=bounced${since}`,
    ),
  ];
}

/** Whether all is well, what needs somebody if not, and what comes next. */
export function WhatNeedsYou({ overview }: { overview: Overview }) {
  const path = useProjectPath();
  const { data: sending } = useRead("GET /v1/sending", {}, { every: 30_000 });
  const list: Matter[] = [
    ...rateMatters(overview),
    ...overview.attention.map((one) => ({
      key: `${one.kind} ${one.id}`,
      words: one.words,
      ...matters[one.kind](one),
    })),
  ];
  const leaves = sending === undefined || sending.waiting === null;
  return (
    <section aria-labelledby="well" className="flex flex-col gap-3">
      <h2 id="well" className="sr-only">
        {t("Is all well?")}
      </h2>
      {list.length > 0 ? (
        <ul className="rounded-md border border-warning">
          {list.map(({ key, title, words, href, action }) => (
            <li
              key={key}
              className="relative flex flex-wrap items-start gap-x-3 gap-y-1 border-b px-4 py-3 text-sm last:border-b-0 hover:bg-hover"
            >
              <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
              <span className="min-w-0 flex-1 basis-64">
                <span className="font-medium wrap-anywhere">{title}</span>
                {words && <span className="block wrap-anywhere text-soft">{words}</span>}
              </span>
              <Link
                href={path(href)}
                className="inline-flex items-center gap-1 text-accent-ink after:absolute after:inset-0"
              >
                {action}
                <ArrowRight className="size-3.5" aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        leaves &&
        overview.setUp.realSend && (
          <p className="flex items-center gap-2 text-sm">
            <CircleCheck className="size-4 shrink-0 text-success" aria-hidden />
            <span>
              <span className="font-medium">{t("All is well.")}</span>{" "}
              <span className="text-soft">
                {t("Mail leaves, domains and webhooks work, and few emails bounce.")}
              </span>
            </span>
          </p>
        )
      )}
      <Next next={overview.next} />
    </section>
  );
}

/** What somebody has begun or planned: the way back to it. */
function Next({ next: { scheduled, draft } }: { next: Overview["next"] }) {
  const path = useProjectPath();
  if (!scheduled && !draft) return null;
  const link = "font-medium wrap-anywhere underline decoration-from-font underline-offset-4";
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-soft">
      {scheduled && (
        <span>
          {rich("Goes out next: {campaign}, {time}", {
            campaign: (
              <Link href={path(`campaigns/${scheduled.id}`)} className={link}>
                {scheduled.name}
              </Link>
            ),
            time: <RelativeTime value={scheduled.at} />,
          })}
        </span>
      )}
      {draft && (
        <span>
          {rich("Not finished: {campaign}", {
            campaign: (
              <Link href={path(`campaigns/${draft.id}`)} className={link}>
                {draft.name}
              </Link>
            ),
          })}
        </span>
      )}
    </p>
  );
}
