"use client";

import { messageOf } from "@/components/api/faults";
import { useProjectPath } from "@/components/api/project-context";
import { useRead, type Read } from "@/components/api/use-read";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import {
  bulkChangeInput,
  type BulkChangeInput,
  type BulkChangePreview,
} from "@/lib/domain/contact-fields/schema";
import { t } from "@/lib/ground/texts/t";
import { peopleWords, type SubjectKind } from "./words";

/** What a change would touch. `valid`: it could be asked for like this. */
export function usePreview(body: BulkChangeInput): {
  valid: boolean;
  read: Read<BulkChangePreview | undefined>;
} {
  const valid = bulkChangeInput.safeParse(body).success;
  const read = useRead(
    "POST /v1/contacts/changes/preview",
    { body },
    // It holds for the moment in which it is read.
    { enabled: valid, retry: false, staleTime: 0, gcTime: 0 },
  );
  return { valid, read };
}

/** What a change would touch, to be read before it is confirmed. */
export function ChangePreview({
  kind,
  newName,
  read: { data, error, isFetching, refetch },
}: {
  kind: SubjectKind;
  /** Of a rename. */
  newName: string | null;
  read: Read<BulkChangePreview | undefined>;
}) {
  if (error) {
    return (
      <Callout kind="danger" alert title={t("What this changes could not be read")}>
        <p>{messageOf(error)}</p>
        <Button size="sm" className="mt-2" pending={isFetching} onClick={() => void refetch()}>
          {t("Try again")}
        </Button>
      </Callout>
    );
  }
  if (!data) {
    return (
      <div
        role="status"
        aria-label={t("Counting whom this changes")}
        className="flex flex-col gap-2"
      >
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    );
  }
  const follows = newName !== null;
  return (
    <div className="flex flex-col gap-3 text-sm" aria-busy={isFetching}>
      {data.refusal !== null && (
        <Callout kind="warning" alert title={t("Not possible at the moment")}>
          {data.refusal}
        </Callout>
      )}
      <p role="status">{peopleWords(kind, data, newName)}</p>
      <Using
        title={follows ? t("Segments, renamed with it") : t("Segments")}
        page="segments"
        of={data.segments}
      />
      <Using
        title={follows ? t("Forms, renamed with it") : t("Forms")}
        page="forms"
        of={data.forms}
      />
      <Using title={t("Templates to change by hand")} page="templates" of={data.templates} />
      <Using title={t("Saved blocks to save anew")} page={null} of={data.savedBlocks} />
      <Using title={t("Campaigns to change by hand")} page="campaigns" of={data.campaigns} />
      <Using
        title={t("Imports under way, which bring it again")}
        page="contacts/imports"
        of={data.imports}
      />
    </div>
  );
}

function Using({
  title,
  page,
  of,
}: {
  title: string;
  /** Where each of them has its own page; null: they have none. */
  page: string | null;
  of: readonly { id: string; name: string; placeholders?: string[] }[];
}) {
  const path = useProjectPath();
  if (of.length === 0) return null;
  return (
    <div>
      <h3 className="eyebrow">{title}</h3>
      <ul className="mt-1 max-h-40 overflow-y-auto">
        {of.map(({ id, name, placeholders = [] }) => (
          <li key={id} className="wrap-anywhere">
            {page === null ? (
              <span className="font-medium">{name}</span>
            ) : (
              <Link
                href={path(`${page}/${id}`)}
                target="_blank"
                className="font-medium hover:text-accent-ink"
              >
                {name || t("(no name)")}
              </Link>
            )}
            {placeholders.map((placeholder) => (
              <code key={placeholder} className="ml-2 inline-block font-mono text-xs text-soft">
                {placeholder}
              </code>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}
