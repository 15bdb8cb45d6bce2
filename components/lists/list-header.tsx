"use client";

import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useApi } from "@/components/api/use-api";
import { DeleteThing } from "@/components/shell/delete-thing";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { CopyableCode } from "@/components/ui/copy-button";
import { Figure } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import type { MailingListDetail } from "@/lib/domain/lists/schema";
import { AddSubscriber } from "./add-subscriber";

const number = new Intl.NumberFormat("en");
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** The list as it is now. */
export function useList(initial: MailingListDetail): MailingListDetail {
  const { id: projectId } = useProject();
  const api = useApi();
  return useQuery({
    queryKey: ["lists", projectId, initial.id],
    queryFn: ({ signal }) => api("GET /v1/lists/{id}", { params: { id: initial.id } }, { signal }),
    initialData: initial,
    refetchInterval: 30_000,
  }).data;
}

/** What both pages of a list begin with: name, figures, and the way to the other page. */
export function ListHeader({ initial }: { initial: MailingListDetail }) {
  const list = useList(initial);
  const path = useProjectPath();
  const api = useApi();
  const may = useMay("editor");
  const here = usePathname();
  const { members, figures } = list;
  const everybody = Object.values(members).reduce((sum, count) => sum + count, 0);
  const lost = members.bounced + members.complained;
  const share = (part: number) =>
    figures.delivered > 0 ? percent.format(part / figures.delivered) : "–";
  const pages = [
    { href: path(`lists/${list.id}`), label: "Subscribers" },
    { href: path(`lists/${list.id}/settings`), label: "Settings and fields" },
  ];
  return (
    <>
      <PageHeader
        title={list.name}
        back={{ href: path("lists"), label: "Lists" }}
        meta={<CopyableCode text={list.id} what="list id" />}
        actions={
          may && (
            <>
              <DeleteThing
                kind="list"
                name={list.name}
                list="lists"
                remove={() => api("DELETE /v1/lists/{id}", { params: { id: list.id } })}
              >
                {everybody === 0
                  ? "Nobody is on it."
                  : `${number.format(everybody)} ${everybody === 1 ? "membership goes" : "memberships go"} with it, and what its own fields hold.`}{" "}
                The contacts stay, and so do campaigns that went to it. Links to join it stop
                working.
              </DeleteThing>
              <AddSubscriber list={list} />
            </>
          )
        }
      />
      <dl className="mb-8 grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3 lg:grid-cols-5">
        <Figure label="Subscribed" value={number.format(members.subscribed)} />
        <Figure
          label="Not confirmed"
          value={number.format(members.unconfirmed)}
          {...(list.subscribeConfirmation ? {} : { note: "confirmation is off" })}
        />
        <Figure
          label="Unsubscribed"
          value={number.format(members.unsubscribed)}
          {...(lost > 0 ? { note: `and ${number.format(lost)} bounced or complained` } : {})}
        />
        <Figure label="Opened" value={share(figures.opened)} note="of what campaigns delivered" />
        <Figure label="Clicked" value={share(figures.clicked)} note="of what campaigns delivered" />
      </dl>
      <nav aria-label="Pages of the list" className="mb-6 flex gap-5 overflow-x-auto border-b">
        {pages.map(({ href, label }) => (
          <Link
            key={href}
            href={href}
            aria-current={here === href ? "page" : undefined}
            className={clsx(
              "-mb-px border-b-2 px-0.5 py-2 text-sm font-medium whitespace-nowrap transition-colors",
              here === href
                ? "border-accent text-ink"
                : "border-transparent text-soft hover:text-ink",
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
    </>
  );
}
