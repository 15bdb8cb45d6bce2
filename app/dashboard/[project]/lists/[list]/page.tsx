import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ListHeader } from "@/components/lists/list-header";
import { SubscriberList } from "@/components/lists/subscriber-list";
import { isAppError } from "@/lib/ground/errors";
import { subscriberQuery } from "@/lib/domain/lists/schema";
import { listSubscribers } from "@/lib/domain/lists/subscribers";
import { readQuery, type SearchParams } from "../../../search-params";
import { openList } from "./open-list";

export const metadata: Metadata = { title: "List" };

const perPage = 50;

export default async function ListPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string; list: string }>;
  searchParams: SearchParams;
}) {
  const { project, context, list } = await openList(await params);
  const query = { ...(await readQuery(subscriberQuery, searchParams)), limit: perPage };
  const members = await listSubscribers(context, list.id, query).catch((error: unknown) => {
    // A cursor of another list: the list from its start.
    if (isAppError(error) && error.code === "VALIDATION_ERROR") {
      redirect(`/dashboard/${project.id}/lists/${list.id}`);
    }
    throw error;
  });
  return (
    <>
      <ListHeader initial={list} />
      <SubscriberList key={JSON.stringify(query)} list={list} initial={members} query={query} />
    </>
  );
}
