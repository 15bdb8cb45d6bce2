import type { Metadata } from "next";
import { CreateKey } from "@/components/api-keys/create-key";
import { KeyList } from "@/components/api-keys/key-list";
import { PlatformToken } from "@/components/api-keys/platform-token";
import { SearchFilter } from "@/components/list-page/search-filter";
import { PageHeader } from "@/components/ui/page-header";
import { listApiKeys } from "@/lib/domain/api-keys/api-keys";
import { apiKeyQuery } from "@/lib/domain/api-keys/schema";
import { getPlatformToken } from "@/lib/domain/projects/own-platform-token";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("API keys") };
}

export default async function ApiKeysPage(props: ListPageProps) {
  const { query, rows } = await openListPage(props, {
    path: "api-keys",
    schema: apiKeyQuery,
    read: (context, query) => Promise.all([listApiKeys(context, query), getPlatformToken(context)]),
  });
  const [keys, token] = rows;
  return (
    <>
      <PageHeader
        title={t("API keys")}
        description={t(
          "Programs sign in with these. You can revoke each key on its own at any time.",
        )}
        actions={<CreateKey />}
      />
      <SearchFilter of={t("API keys")} value={query.search} />
      <KeyList key={JSON.stringify(query)} initial={keys} query={query} />
      <div className="mt-12">
        <PlatformToken initial={token} />
      </div>
    </>
  );
}
