import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { CapturedList } from "@/components/captured/captured-list";
import { CapturedSearch } from "@/components/captured/captured-search";
import { ClearMailbox } from "@/components/captured/clear-mailbox";
import { PageHeader } from "@/components/ui/page-header";
import { listCapturedEmails } from "@/lib/domain/emails/captured";
import { capturedQuery } from "@/lib/domain/emails/captured-schema";
import { isAppError } from "@/lib/ground/errors";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Captured mailbox" };

export default async function CapturedPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = await readQuery(capturedQuery, searchParams);
  const messages = await listCapturedEmails(context, query).catch((error: unknown) => {
    // A cursor of another list: the list from its start.
    if (isAppError(error) && error.code === "VALIDATION_ERROR") {
      redirect(`/dashboard/${project.id}/captured`);
    }
    throw error;
  });
  return (
    <>
      <PageHeader
        title="Captured mailbox"
        description="Mail that went the whole way and stopped at the door: what would have been sent, kept for 30 days."
        actions={messages.data.length > 0 && <ClearMailbox />}
      />
      <CapturedSearch query={query} />
      <CapturedList key={JSON.stringify(query)} initial={messages} query={query} />
    </>
  );
}
