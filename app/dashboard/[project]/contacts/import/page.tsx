import type { Metadata } from "next";
import { ImportList } from "@/components/imports/import-list";
import { ImportWizard } from "@/components/imports/import-wizard";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listImports } from "@/lib/domain/imports/imports";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Import contacts") };
}

export default async function ImportPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, context } = await openProject((await params).project);
  const imports = await listImports(context, { limit: 20 });
  return (
    <>
      <PageHeader
        title={t("Import contacts")}
        description={
          <>
            {rich(
              "From a CSV file with one line per person. The first line names the columns. Exports of Mailchimp and listmonk are taken as they are: <link>moving here</link>.",
              {
                link: (words) => (
                  <Link
                    href="/docs/moving"
                    className="text-accent-ink underline underline-offset-4 hover:decoration-current"
                  >
                    {words}
                  </Link>
                ),
              },
            )}
          </>
        }
        back={{ href: `/dashboard/${project.id}/contacts`, label: t("Contacts") }}
      />
      <ImportWizard />
      <ImportList initial={imports} />
    </>
  );
}
