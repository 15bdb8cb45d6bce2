import type { Metadata } from "next";
import { CreateKey } from "@/components/api-keys/create-key";
import { KeyList } from "@/components/api-keys/key-list";
import { PageHeader } from "@/components/ui/page-header";
import { listApiKeys } from "@/lib/api-keys/api-keys";
import { pageQuery } from "@/lib/paging/schema";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "API keys" };

export default async function ApiKeysPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { context } = await openProject((await params).project);
  const asked = pageQuery.safeParse(await searchParams);
  const query = asked.success ? asked.data : pageQuery.parse({});
  const keys = await listApiKeys(context, query);
  return (
    <>
      <PageHeader
        title="API keys"
        description="How programs sign in. Each can be revoked on its own, and works until then."
        actions={<CreateKey />}
      />
      <KeyList key={query.cursor} initial={keys} cursor={query.cursor} />
    </>
  );
}
