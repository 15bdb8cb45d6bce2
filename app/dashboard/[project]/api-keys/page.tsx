import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { CreateKey } from "@/components/api-keys/create-key";
import { KeyFilters } from "@/components/api-keys/key-filters";
import { KeyList } from "@/components/api-keys/key-list";
import { PlatformToken } from "@/components/api-keys/platform-token";
import { PageHeader } from "@/components/ui/page-header";
import { listApiKeys } from "@/lib/domain/api-keys/api-keys";
import { apiKeyQuery } from "@/lib/domain/api-keys/schema";
import { isAppError } from "@/lib/ground/errors";
import { getPlatformToken } from "@/lib/domain/projects/own-platform-token";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "API keys" };

export default async function ApiKeysPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = await readQuery(apiKeyQuery, searchParams);
  const [keys, token] = await Promise.all([
    listApiKeys(context, query).catch((error: unknown) => {
      // A cursor of another list: the list from its start.
      if (isAppError(error) && error.code === "VALIDATION_ERROR") {
        redirect(`/dashboard/${project.id}/api-keys`);
      }
      throw error;
    }),
    getPlatformToken(context),
  ]);
  return (
    <>
      <PageHeader
        title="API keys"
        description="How programs sign in. Each can be revoked on its own, and works until then."
        actions={<CreateKey />}
      />
      <KeyFilters query={query} />
      <KeyList key={JSON.stringify(query)} initial={keys} query={query} />
      <div className="mt-12">
        <PlatformToken initial={token} />
      </div>
    </>
  );
}
