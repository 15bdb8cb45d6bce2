"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Images, SearchX, Trash2 } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { pageHref, useFilters } from "@/components/list/use-filters";
import { formatBytes } from "@/components/message-viewer/format-bytes";
import { IconButton, LinkButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Pagination } from "@/components/list/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import { SearchField } from "@/components/list/search-field";
import { EmptyState } from "@/components/list/empty-state";
import { toast } from "@/components/ui/toast";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { FileQuery, StoredFile } from "@/lib/domain/files/schema";
import { DropZone } from "./drop-zone";
import { Thumbnail } from "./thumbnail";
import { useUploads } from "./use-uploads";

/** The project's pictures and documents, to be used in mail. */
export function MediaLibrary({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/files">;
  query: FileQuery;
}) {
  const { id: projectId } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const may = useMay("editor");
  const { set, pending } = useFilters();
  const { sendings, send, dismiss } = useUploads(({ name }) =>
    toast.success(`${name} is in the library`),
  );
  const [deleting, setDeleting] = useState<StoredFile | null>(null);
  const list = useQuery({
    queryKey: ["files", projectId, query],
    queryFn: ({ signal }) => api("GET /v1/files", { query }, { signal }),
    initialData: initial,
    refetchInterval: 60_000,
  });
  const { data, nextCursor } = list.data;
  const narrowed = Boolean(query.search || query.cursor);
  return (
    <>
      {may && <DropZone sendings={sendings} onFiles={send} onDismiss={dismiss} />}
      <div role="search" aria-label="Media" aria-busy={pending} className="mb-5">
        <SearchField
          label="Search by name or folder"
          value={query.search ?? ""}
          onChange={(search) => set({ search })}
          className="w-full sm:w-72"
        />
      </div>
      <NotUpToDate error={list.error} what="list">
        It is asked for again every minute.
      </NotUpToDate>
      {data.length === 0 ? (
        narrowed ? (
          <EmptyState
            icon={SearchX}
            title="No file matches"
            action={<LinkButton href={path("media")}>Show all files</LinkButton>}
          >
            The project has none of that name.
          </EmptyState>
        ) : (
          <EmptyState icon={Images} title="Nothing in the library yet">
            Logos, pictures and documents that your mail shows or links. Each gets an address that
            everybody can open.
          </EmptyState>
        )
      ) : (
        <ul
          aria-label="Files"
          className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-4"
        >
          {data.map((file) => (
            <FileCard
              key={file.id}
              file={file}
              onDelete={may ? () => setDeleting(file) : undefined}
            />
          ))}
        </ul>
      )}
      <Pagination
        firstHref={query.cursor ? pageHref(path("media"), query, null) : null}
        nextHref={nextCursor ? pageHref(path("media"), query, nextCursor) : null}
      />
      {deleting && <DeleteFile file={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function FileCard({ file, onDelete }: { file: StoredFile; onDelete: (() => void) | undefined }) {
  return (
    <li className="min-w-0">
      <Thumbnail file={file} />
      <div className="mt-2 flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <a
            href={new URL(file.url).pathname}
            target="_blank"
            rel="noreferrer"
            title={file.path}
            className="block truncate text-sm font-medium hover:text-accent-ink"
          >
            {file.path}
          </a>
          <span className="block text-xs text-faint">
            {formatBytes(file.size)}, <RelativeTime value={file.createdAt} />
          </span>
        </div>
        <CopyButton text={file.url} what={`address of ${file.name}`} />
        {onDelete && (
          <IconButton label={`Delete ${file.name}`} size="sm" onClick={onDelete}>
            <Trash2 aria-hidden />
          </IconButton>
        )}
      </div>
    </li>
  );
}

function DeleteFile({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api("DELETE /v1/files/{id}", { params: { id: file.id } }),
    onSuccess: async () => {
      toast.success(`${file.name} is deleted`);
      onClose();
      await queries.invalidateQueries({ queryKey: ["files"] });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete “${file.name}”?`}
      action="Delete file"
      onConfirm={() => remove.mutate()}
      pending={remove.isPending}
      error={remove.isError ? messageOf(remove.error) : null}
    >
      Mail that shows or links it, sent long ago or still to come, has a gap in its place. Copies
      that mailbox providers keep live on for a while.
    </ConfirmDialog>
  );
}
