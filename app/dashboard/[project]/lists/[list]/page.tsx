import type { Metadata } from "next";
import { ListHeader } from "@/components/lists/list-header";
import { SubscriberFilters } from "@/components/lists/subscriber-filters";
import { SubscriberList } from "@/components/lists/subscriber-list";
import { subscriberQuery } from "@/lib/domain/lists/schema";
import { listSubscribers } from "@/lib/domain/lists/subscribers";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../../list-page";
import { openMailingList } from "./mailing-list";

export function generateMetadata(): Metadata {
  return { title: t("List") };
}

export default async function ListPage(props: ListPageProps<{ list: string }>) {
  const { list } = await openMailingList(await props.params);
  const { query, rows } = await openListPage(props, {
    path: `lists/${list.id}`,
    schema: subscriberQuery,
    limit: 50,
    read: (context, query) => listSubscribers(context, list.id, query),
  });
  return (
    <>
      <ListHeader initial={list} />
      <SubscriberFilters query={query} />
      <SubscriberList key={JSON.stringify(query)} list={list} initial={rows} query={query} />
    </>
  );
}
