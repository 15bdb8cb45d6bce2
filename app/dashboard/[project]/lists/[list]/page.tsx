import type { Metadata } from "next";
import { ListHeader } from "@/components/lists/list-header";
import { subscriberColumns } from "@/components/lists/subscriber-columns";
import { SubscriberFilters } from "@/components/lists/subscriber-filters";
import { SubscriberList } from "@/components/lists/subscriber-list";
import { SavedViews } from "@/components/saved-views/saved-views";
import { subscriberQuery } from "@/lib/domain/lists/schema";
import { listSubscribers } from "@/lib/domain/lists/subscribers";
import { listSavedViews } from "@/lib/domain/saved-views/saved-views";
import { t } from "@/lib/ground/texts/t";
import { chosenColumns, openListPage, type ListPageProps } from "../../../list-page";
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
    read: (context, query) =>
      Promise.all([
        listSubscribers(context, list.id, query),
        listSavedViews(context, { page: "subscribers" }),
      ]),
  });
  const [subscribers, views] = rows;
  const columns = await chosenColumns(subscriberColumns);
  return (
    <>
      <ListHeader initial={list} />
      <SavedViews page="subscribers" at={`lists/${list.id}`} query={query} initial={views} />
      <SubscriberFilters list={list} query={query} views={views} columns={columns} />
      <SubscriberList
        key={JSON.stringify(query)}
        list={list}
        initial={subscribers}
        query={query}
        columns={columns}
      />
    </>
  );
}
