import type { Metadata } from "next";
import { FetchFile } from "@/components/media/fetch-file";
import { MediaLibrary } from "@/components/media/media-library";
import { PageHeader } from "@/components/ui/page-header";
import { listFiles } from "@/lib/domain/files/files";
import { fileQuery } from "@/lib/domain/files/schema";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Media") };
}

export default async function MediaPage(props: ListPageProps) {
  const { query, rows } = await openListPage(props, {
    path: "media",
    schema: fileQuery,
    limit: 48,
    read: listFiles,
  });
  return (
    <>
      <PageHeader
        title={t("Media")}
        description={t("Images and documents for your emails, at addresses that do not change.")}
        actions={<FetchFile />}
      />
      <MediaLibrary key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
