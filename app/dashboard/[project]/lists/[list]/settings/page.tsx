import type { Metadata } from "next";
import { ListFields } from "@/components/lists/list-fields";
import { ListForm } from "@/components/lists/list-form";
import { ListHeader } from "@/components/lists/list-header";
import { countries } from "@/lib/ground/geo/countries";
import { t } from "@/lib/ground/texts/t";
import { openMailingList } from "../mailing-list";

export function generateMetadata(): Metadata {
  return { title: t("List settings") };
}

export default async function ListSettingsPage({
  params,
}: {
  params: Promise<{ project: string; list: string }>;
}) {
  const { list } = await openMailingList(await params);
  return (
    <>
      <ListHeader initial={list} />
      <div className="flex flex-col gap-12">
        <ListFields list={list} />
        <ListForm list={list} countries={countries()} />
      </div>
    </>
  );
}
