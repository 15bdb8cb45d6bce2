"use client";

import { useMay } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { CodeBlock } from "@/components/ui/code-block";
import { Compared, contentDifference } from "@/components/versions/differences";
import { VersionsDialog } from "@/components/versions/versions-dialog";
import type { Template, TemplateVersion } from "@/lib/domain/templates/schema";
import { t } from "@/lib/ground/texts/t";

/** Every version of a template, each to be looked at, compared with others and restored. */
export function TemplateVersions({
  template,
  unsaved,
  pending,
  onRestore,
  onClose,
}: {
  template: Template;
  /** What is written and not saved would be replaced. */
  unsaved: boolean;
  pending: boolean;
  onRestore: (version: TemplateVersion) => void;
  onClose: () => void;
}) {
  const may = useMay("editor");
  const list = useRead(
    "GET /v1/templates/{id}/versions",
    { params: { id: template.id } },
    { version: template.version },
  );
  const versions = list.data?.data;
  const find = (version: number) => versions?.find((each) => each.version === version);
  const restore = (version: number) => {
    const found = find(version);
    if (found) onRestore(found);
  };
  return (
    <VersionsDialog
      description={
        unsaved
          ? t("Restoring a version replaces your unsaved changes.")
          : t("Restoring a version creates a new one; nothing is lost.")
      }
      read={list}
      versions={versions?.map((each) => ({
        version: each.version,
        present: each.version === template.version ? t("in use") : null,
        savedAt: each.createdAt,
        summary: `${each.name} · ${each.subject}`,
        more: <Source version={each} />,
      }))}
      pending={pending}
      onRestore={may ? restore : null}
      compare={(older, newer) => {
        const [before, after] = [find(older), find(newer)];
        return before && after && <TemplateDifferences older={before} newer={after} />;
      }}
      onClose={onClose}
    />
  );
}

function Source({ version: { version, body } }: { version: TemplateVersion }) {
  return (
    <details className="mt-1 text-sm">
      <summary className="w-fit text-accent-ink">{t("Show source")}</summary>
      <div className="mt-2">
        <CodeBlock code={body} label={t("Source of version {version}", { version })} />
      </div>
    </details>
  );
}

function TemplateDifferences({ older, newer }: { older: TemplateVersion; newer: TemplateVersion }) {
  return (
    <Compared
      looks={[older, newer].map(({ version, body }) => ({ version, html: body }))}
      differences={[
        { label: t("Name"), before: older.name, after: newer.name },
        { label: t("Subject"), before: older.subject, after: newer.subject },
        contentDifference(older, newer),
      ]}
    />
  );
}
