import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { FetchFile } from "@/components/media/fetch-file";
import { MediaLibrary } from "@/components/media/media-library";
import { PageHeader } from "@/components/ui/page-header";
import { isAppError } from "@/lib/ground/errors";
import { listFiles } from "@/lib/domain/files/files";
import { fileQuery } from "@/lib/domain/files/schema";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Media" };

const perPage = 48;

export default async function MediaPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = { ...(await readQuery(fileQuery, searchParams)), limit: perPage };
  const files = await listFiles(context, query).catch((error: unknown) => {
    // A cursor of another list: the list from its start.
    if (isAppError(error) && error.code === "VALIDATION_ERROR") {
      redirect(`/dashboard/${project.id}/media`);
    }
    throw error;
  });
  return (
    <>
      <PageHeader
        title="Media"
        description="Pictures and documents for your mail, at addresses that last."
        actions={<FetchFile />}
      />
      <MediaLibrary key={JSON.stringify(query)} initial={files} query={query} />
    </>
  );
}
