"use client";

import { ArrowLeft, GitCompare, RotateCcw } from "lucide-react";
import { useState, type ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import type { Read } from "@/components/api/use-read";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { rich } from "@/components/ui/rich";
import { Select } from "@/components/ui/select";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Badge } from "@/components/ui/status";
import { t } from "@/lib/ground/texts/t";

/** A version as the list has it. */
interface ListedVersion {
  version: number;
  /** What the present one is called; null: an earlier one. */
  present: string | null;
  savedAt: string;
  /** Who wrote it, where that is known. */
  author?: string | null;
  /** What it says, in a line. */
  summary: string;
  more?: ReactNode;
}

/** Every version of something, each to be looked at beside another, and to be restored. */
export function VersionsDialog({
  description,
  read,
  versions,
  pending,
  onRestore,
  compare,
  onClose,
}: {
  description: string;
  read: Pick<Read<unknown>, "isError" | "error" | "isFetching" | "refetch">;
  /** Newest first; undefined while they are loading. */
  versions: readonly ListedVersion[] | undefined;
  pending: boolean;
  /** null: nothing can be restored here. */
  onRestore: ((version: number) => void) | null;
  /** What is different between two. */
  compare: (older: number, newer: number) => ReactNode;
  onClose: () => void;
}) {
  const [compared, setCompared] = useState<number | null>(null);
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={t("Versions")}
      description={description}
    >
      {read.isError ? (
        <ErrorState
          message={messageOf(read.error)}
          onRetry={() => void read.refetch()}
          retrying={read.isFetching}
        />
      ) : !versions ? (
        <TableSkeleton rows={3} columns={3} />
      ) : compared !== null ? (
        <Comparison
          version={compared}
          versions={versions}
          compare={compare}
          onBack={() => setCompared(null)}
        />
      ) : (
        <ol className="max-h-[60vh] overflow-y-auto" tabIndex={0} aria-label={t("Versions")}>
          {versions.map((each) => (
            <Version
              key={each.version}
              {...each}
              pending={pending}
              onCompare={versions.length > 1 ? () => setCompared(each.version) : null}
              onRestore={onRestore && (() => onRestore(each.version))}
            />
          ))}
        </ol>
      )}
    </Dialog>
  );
}

function Version({
  version,
  present,
  savedAt,
  author,
  summary,
  more,
  pending,
  onCompare,
  onRestore,
}: ListedVersion & {
  pending: boolean;
  onCompare: (() => void) | null;
  onRestore: (() => void) | null;
}) {
  const words = {
    version,
    hidden: (text: ReactNode) => <span className="sr-only">{text}</span>,
  };
  return (
    <li className="border-b py-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="font-medium">{t("Version {version}", { version })}</span>
        {present !== null && <Badge tone="success">{present}</Badge>}
        <span className="text-soft wrap-anywhere">
          <RelativeTime value={savedAt} />
          {author && ` · ${author}`}
        </span>
        {onCompare && (
          <Button size="sm" variant="ghost" className="ml-auto" onClick={onCompare}>
            <GitCompare aria-hidden /> {rich("Compare<hidden> version {version}</hidden>", words)}
          </Button>
        )}
        {onRestore && present === null && (
          <Button size="sm" pending={pending} onClick={onRestore}>
            <RotateCcw aria-hidden /> {rich("Restore<hidden> version {version}</hidden>", words)}
          </Button>
        )}
      </div>
      <p className="mt-1 truncate text-sm text-soft">{summary}</p>
      {more}
    </li>
  );
}

/** One version beside another, which is chosen here. */
function Comparison({
  version,
  versions,
  compare,
  onBack,
}: {
  version: number;
  versions: readonly ListedVersion[];
  compare: (older: number, newer: number) => ReactNode;
  onBack: () => void;
}) {
  const others = versions.filter((each) => each.version !== version);
  const [chosen, setChosen] = useState(others[0]?.version ?? version);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <Button size="sm" variant="ghost" onClick={onBack}>
          <ArrowLeft aria-hidden /> {t("All versions")}
        </Button>
        <span className="ml-auto">{t("Version {version} beside", { version })}</span>
        <Select
          label={t("Compare with")}
          className="h-8! w-40 text-sm"
          options={others.map((each) => ({
            value: String(each.version),
            label:
              each.present === null
                ? t("Version {version}", { version: each.version })
                : t("Version {version}, {present}", {
                    version: each.version,
                    present: each.present,
                  }),
          }))}
          value={String(chosen)}
          onChange={(next) => setChosen(Number(next))}
        />
      </div>
      <div
        className="max-h-[60vh] overflow-y-auto"
        tabIndex={0}
        aria-label={t("Comparison")}
        role="region"
      >
        {compare(Math.min(version, chosen), Math.max(version, chosen))}
      </div>
    </div>
  );
}
