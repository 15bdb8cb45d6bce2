import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metadata } from "next";
import { Markdown } from "@/components/markdown/markdown";
import { readMarkdown } from "@/components/markdown/read";
import { PageHeader } from "@/components/ui/page-header";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../session";

export function generateMetadata(): Metadata {
  return { title: t("Changelog") };
}

export default async function ChangelogPage({ params }: { params: Promise<{ project: string }> }) {
  await openProject((await params).project);
  // Spelled out like this so that the build includes the file.
  const source = await readFile(join(process.cwd(), "CHANGELOG.md"), "utf8");
  return (
    <>
      <PageHeader
        title={t("Changelog")}
        description={t("What is new, and what it means for your programs.")}
      />
      <div className="max-w-2xl">
        <Markdown document={readMarkdown(source)} />
      </div>
    </>
  );
}
