"use client";

import { ArrowRight, CircleCheck, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Attention, Overview } from "@/lib/domain/overview/schema";

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
    title: `The sending connection ${name} is in trouble`,
    href: "sending",
    action: "See what waits",
  }),
  limit: ({ name }) => ({
    title: `${name} emails of this month’s limit are used`,
    href: "settings",
    action: "See the limit",
  }),
  domain: ({ id, name }) => ({
    title: `The DNS records of ${name} are not in order`,
    href: `domains/${id}`,
    action: "Check the records",
  }),
  campaign: ({ id, name }) => ({
    title: `“${name}” was paused`,
    href: `campaigns/${id}`,
    action: "Decide what happens",
  }),
  webhook: ({ id, name }) => ({
    title: `The webhook ${name} is not answered`,
    href: `webhooks/${id}`,
    action: "See its calls",
  }),
};

function rateMatters({ health }: Overview): Matter[] {
  const of = (kind: "bounces" | "complaints", what: string, href: string): Matter[] =>
    health[kind] === null || health[kind] === "healthy"
      ? []
      : [
          {
            key: kind,
            title: `${what} ${health[kind] === "high" ? "many" : "too many"} in the last 7 days`,
            words:
              health[kind] === "high"
                ? "Mailbox providers begin to hold mail back."
                : "Mailbox providers refuse senders with so many. Campaigns are paused before they make it worse.",
            href,
            action: "See which mail",
          },
        ];
  return [
    ...of("complaints", "Complaints are", "emails?status=COMPLAINED"),
    ...of("bounces", "Bounces are", "emails?status=BOUNCED"),
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
        Is all well?
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
              <span className="font-medium">All is well.</span>{" "}
              <span className="text-soft">
                Mail leaves, domains and webhooks work, and few emails bounce.
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
          Goes out next:{" "}
          <Link href={path(`campaigns/${scheduled.id}`)} className={link}>
            {scheduled.name}
          </Link>
          , <RelativeTime value={scheduled.at} />
        </span>
      )}
      {draft && (
        <span>
          Not finished:{" "}
          <Link href={path(`campaigns/${draft.id}`)} className={link}>
            {draft.name}
          </Link>
        </span>
      )}
    </p>
  );
}
