"use client";

import { GitCompare, RotateCcw } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useMay } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableSkeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/error-state";
import { Badge } from "@/components/ui/status";
import type { Template, TemplateVersion } from "@/lib/domain/templates/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { VersionComparison } from "./version-comparison";

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
  const [compared, setCompared] = useState<TemplateVersion | null>(null);
  const list = useRead(
    "GET /v1/templates/{id}/versions",
    { params: { id: template.id } },
    { version: template.version },
  );
  const versions = list.data?.data;
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={t("Versions")}
      description={
        unsaved
          ? t("Restoring a version replaces your unsaved changes.")
          : t("Restoring a version creates a new one; nothing is lost.")
      }
    >
      {list.isError ? (
        <ErrorState
          message={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      ) : !versions ? (
        <TableSkeleton rows={3} columns={3} />
      ) : compared ? (
        <VersionComparison
          version={compared}
          versions={versions}
          onBack={() => setCompared(null)}
        />
      ) : (
        <ol className="max-h-[60vh] overflow-y-auto" tabIndex={0} aria-label={t("Versions")}>
          {versions.map((version) => (
            <li key={version.version} className="border-b py-3 last:border-b-0">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
                <span className="font-medium">
                  {t("Version {version}", { version: version.version })}
                </span>
                {version.version === template.version && (
                  <Badge tone="success">{t("in use")}</Badge>
                )}
                <span className="text-soft">
                  <RelativeTime value={version.createdAt} />
                </span>
                {versions.length > 1 && (
                  <Button
                    size="sm"
                    variant="ghost"
                    className="ml-auto"
                    onClick={() => setCompared(version)}
                  >
                    <GitCompare aria-hidden />{" "}
                    {rich("Compare<hidden> version {version}</hidden>", {
                      version: version.version,
                      hidden: (words) => <span className="sr-only">{words}</span>,
                    })}
                  </Button>
                )}
                {may && version.version !== template.version && (
                  <Button size="sm" pending={pending} onClick={() => onRestore(version)}>
                    <RotateCcw aria-hidden />{" "}
                    {rich("Restore<hidden> version {version}</hidden>", {
                      version: version.version,
                      hidden: (words) => <span className="sr-only">{words}</span>,
                    })}
                  </Button>
                )}
              </div>
              <p className="mt-1 truncate text-sm text-soft">
                {version.name} · {version.subject}
              </p>
              <details className="mt-1 text-sm">
                <summary className="w-fit text-accent-ink">{t("Show source")}</summary>
                <div className="mt-2">
                  <CodeBlock
                    code={version.body}
                    label={t("Source of version {version}", { version: version.version })}
                  />
                </div>
              </details>
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}
