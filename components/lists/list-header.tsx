"use client";

import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { DeleteThing } from "@/components/shell/delete-button";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { CopyableCode } from "@/components/ui/copy-button";
import { Figure } from "@/components/ui/description-list";
import { FigureLink } from "@/components/ui/figure-link";
import { count, percent } from "@/components/ui/numbers";
import { PageHeader } from "@/components/ui/page-header";
import { SubPages } from "@/components/ui/sub-pages";
import { rich } from "@/components/ui/rich";
import type { ListMember, MailingListDetail } from "@/lib/domain/lists/schema";
import { t } from "@/lib/ground/texts/t";
import { AddSubscriber } from "./add-subscriber";

/** The list as it is now. */
export function useMailingList(initial: MailingListDetail) {
  return useRead("GET /v1/lists/{id}", { params: { id: initial.id } }, { initial, every: 30_000 });
}

/** What both pages of a list begin with: name, figures, and a link to the other page. */
export function ListHeader({ initial }: { initial: MailingListDetail }) {
  const reading = useMailingList(initial);
  const list = reading.data;
  const path = useProjectPath();
  const api = useApi();
  const may = useMay("editor");
  const { members, figures } = list;
  const everybody = Object.values(members).reduce((sum, some) => sum + some, 0);
  const lost = members.bounced + members.complained;
  const who = (status: ListMember["status"]) =>
    members[status] > 0 ? path(`lists/${list.id}?status=${status}`) : undefined;
  const linked = (status: ListMember["status"]) => (
    <FigureLink href={who(status)}>{count(members[status])}</FigureLink>
  );
  const share = (rate: number) => (figures.arrived > 0 ? percent(rate) : "–");
  const ofWhat =
    figures.arrived === 0
      ? t("no campaign has gone to it yet")
      : figures.deliveryConfirmed
        ? t("of delivered campaign mail")
        : t("of accepted campaign mail");
  const pages = [
    { href: path(`lists/${list.id}`), label: t("Subscribers") },
    { href: path(`lists/${list.id}/settings`), label: t("Settings and fields") },
    { href: `${path("forms")}?listId=${list.id}`, label: t("Sign-up forms") },
  ];
  return (
    <>
      <PageHeader
        title={list.name}
        back={{ href: path("lists"), label: t("Lists") }}
        meta={<CopyableCode text={list.id} what={t("list id")} />}
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
                  ? t(
                      "Nobody is on this list. The contacts stay, and so do campaigns sent to the list. Sign-up links stop working.",
                    )
                  : t(
                      "This removes {count, plural, one {# membership} other {# memberships}} and what people entered in the list’s fields. The contacts stay, and so do campaigns sent to the list. Sign-up links stop working.",
                      { count: everybody },
                    )}
              </DeleteThing>
              <AddSubscriber list={list} />
            </>
          )
        }
      />
      <NotUpToDate of={reading} />
      <dl className="mb-8 grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3 lg:grid-cols-5">
        <Figure
          label={t("Subscribed")}
          value={count(members.subscribed)}
          href={who("subscribed")}
        />
        <Figure
          label={t("Not confirmed")}
          value={count(members.unconfirmed)}
          href={who("unconfirmed")}
          {...(list.subscribeConfirmation ? {} : { note: t("no confirmation required") })}
        />
        <Figure
          label={t("Unsubscribed")}
          value={count(members.unsubscribed)}
          href={who("unsubscribed")}
          {...(lost > 0
            ? {
                note: rich("{bounced} more bounced, {complained} complained", {
                  bounced: linked("bounced"),
                  complained: linked("complained"),
                }),
              }
            : {})}
        />
        <Figure label={t("Opened")} value={share(figures.openRate)} note={ofWhat} />
        <Figure label={t("Clicked")} value={share(figures.clickRate)} note={ofWhat} />
      </dl>
      <SubPages label={t("Sections of the list")} pages={pages} />
    </>
  );
}
