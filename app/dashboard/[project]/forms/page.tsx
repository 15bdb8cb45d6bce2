import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { FormTable } from "@/components/forms/form-table";
import { SearchFilter } from "@/components/list-page/search-filter";
import { LinkButton } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listForms } from "@/lib/domain/forms/forms";
import { formListQuery } from "@/lib/domain/forms/schema";
import { listTopics } from "@/lib/domain/topics/topics";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Forms") };
}

export default async function FormsPage(props: ListPageProps) {
  const { project, context, query, rows } = await openListPage(props, {
    path: "forms",
    schema: formListQuery,
    read: listForms,
  });
  return (
    <>
      <PageHeader
        title={t("Forms")}
        description={t("Where people sign up by themselves, on a page of ours or on yours.")}
        actions={
          context.role !== "viewer" && (
            <LinkButton href={`/dashboard/${project.id}/forms/new`} variant="primary">
              <Plus aria-hidden /> {t("Create form")}
            </LinkButton>
          )
        }
      />
      <SearchFilter of={t("Forms")} value={query.search} />
      {query.listId !== undefined && rows.data.length > 0 && (
        <p className="-mt-2 mb-5 text-sm text-soft">
          {rows.data[0]?.listName
            ? t("Forms that people join {list} by.", { list: rows.data[0].listName })
            : t("Forms that people join one list by.")}{" "}
          <Link href={`/dashboard/${project.id}/forms`} className="underline underline-offset-2">
            {t("Show all forms")}
          </Link>
        </p>
      )}
      <FormTable
        key={JSON.stringify(query)}
        initial={rows}
        topics={await listTopics(context)}
        query={query}
      />
    </>
  );
}
