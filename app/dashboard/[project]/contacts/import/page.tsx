import type { Metadata } from "next";
import Link from "next/link";
import { ImportList } from "@/components/imports/import-list";
import { ImportWizard } from "@/components/imports/import-wizard";
import { PageHeader } from "@/components/ui/page-header";
import { listImports } from "@/lib/domain/imports/imports";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Import contacts" };

export default async function ImportPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, context } = await openProject((await params).project);
  const imports = await listImports(context, { limit: 20 });
  return (
    <>
      <PageHeader
        title="Import contacts"
        description={
          <>
            From a CSV file with one line per person. The first line names the columns. Exports of
            Mailchimp and listmonk are taken as they are:{" "}
            <Link
              href="/docs/moving"
              className="text-accent-ink underline underline-offset-4 hover:decoration-current"
            >
              moving here
            </Link>
            .
          </>
        }
        back={{ href: `/dashboard/${project.id}/contacts`, label: "Contacts" }}
      />
      <ImportWizard />
      <ImportList initial={imports} />
    </>
  );
}
