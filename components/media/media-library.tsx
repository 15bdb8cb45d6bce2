"use client";

import { Images, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { EachActions } from "@/components/list-page/each-actions";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SelectPage } from "@/components/list-page/select-cells";
import { useSelection } from "@/components/list-page/use-selection";
import { IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CopyButton } from "@/components/ui/copy-button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { count, counted, formatBytes } from "@/components/ui/numbers";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { FileQuery, StoredFile } from "@/lib/domain/files/schema";
import { t } from "@/lib/ground/texts/t";
import { DropZone } from "./drop-zone";
import { MediaFilters } from "./media-filters";
import { Thumbnail } from "./thumbnail";
import { useUploads } from "./use-uploads";

/** The project's images and documents, to be used in mail. */
export function MediaLibrary({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/files">;
  query: FileQuery;
}) {
  const path = useProjectPath();
  const may = useMay("editor");
  const { sendings, send, dismiss } = useUploads((files) => {
    const [{ name } = { name: "" }] = files;
    toast.success(
      files.length === 1
        ? t("{name} was added to the library", { name })
        : t("{files} files were added to the library", { files: count(files.length) }),
    );
  });
  const [deleting, setDeleting] = useState<StoredFile | null>(null);
  const list = useRead("GET /v1/files", { query }, { initial, every: 60_000 });
  return (
    <>
      {may && <DropZone sendings={sendings} onFiles={send} onDismiss={dismiss} />}
      <MediaFilters query={query} />
      <ListPage
        list={list}
        href={path("media")}
        query={query}
        noMatch={{
          title: t("No file matches"),
          hint: t("The library has no file or folder by that name."),
          showAll: t("Show all files"),
        }}
        empty={
          <EmptyState icon={Images} title={t("No files yet")}>
            {t(
              "Logos, images and documents that your emails show or link to. Each gets an address that anybody can open.",
            )}
          </EmptyState>
        }
      >
        {(files) => <FileGrid files={files} onDelete={setDeleting} />}
      </ListPage>
      {deleting && <DeleteFile file={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

const lost = () =>
  t(
    "It will be missing from every email that shows it or links to it, including those already sent. Mailbox providers may keep their own copy for a while.",
  );

function FileGrid({
  files,
  onDelete,
}: {
  files: readonly StoredFile[];
  onDelete: (file: StoredFile) => void;
}) {
  const api = useApi();
  const may = useMay("editor");
  const selection = useSelection(files, ({ id }) => id);
  const { chosen } = selection;
  const number = counted(chosen.length, "file");
  return (
    <>
      {may && (
        <div className="mb-4 flex flex-col gap-3">
          <EachActions
            label={t("Selected files")}
            hint={t("Select files to delete several at once.")}
            chosen={chosen.length}
            actions={[
              {
                label: t("Delete"),
                icon: Trash2,
                things: chosen.map(({ id, path }) => ({ id, name: path })),
                title: t("Delete {files}?", { files: number }),
                lost:
                  chosen.length === 1
                    ? lost()
                    : t(
                        "They will be missing from every email that shows them or links to them, including those already sent. Mailbox providers may keep their own copies for a while.",
                      ),
                action: t("Delete {files}", { files: number }),
                run: (id) => api("DELETE /v1/files/{id}", { params: { id } }),
                done: (count) => t("{files} deleted", { files: counted(count, "file") }),
              },
            ]}
            onDone={selection.clear}
          />
          <SelectPage
            label={t("Select all files on this page")}
            wholePage={selection.wholePage}
            some={chosen.length > 0}
            onChange={selection.choosePage}
          />
        </div>
      )}
      <ul
        aria-label={t("Files")}
        className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-4"
      >
        {files.map((file) => (
          <FileCard
            key={file.id}
            file={file}
            select={
              may && (
                <Checkbox
                  label={t("Select {name}", { name: file.name })}
                  labelHidden
                  checked={selection.has(file.id)}
                  onChange={(on) => selection.choose([file.id], on)}
                />
              )
            }
            onDelete={may ? () => onDelete(file) : undefined}
          />
        ))}
      </ul>
    </>
  );
}

function FileCard({
  file,
  select,
  onDelete,
}: {
  file: StoredFile;
  /** Its checkbox, for those who may use it. */
  select: ReactNode;
  onDelete: (() => void) | undefined;
}) {
  return (
    <li className="min-w-0">
      <Thumbnail file={file} />
      <div className="mt-2 flex items-start gap-1">
        {select && <span className="mt-0.5 mr-1">{select}</span>}
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
        <CopyButton text={file.url} what={t("address of {name}", { name: file.name })} />
        {onDelete && (
          <IconButton label={t("Delete {name}", { name: file.name })} size="sm" onClick={onDelete}>
            <Trash2 aria-hidden />
          </IconButton>
        )}
      </div>
    </li>
  );
}

function DeleteFile({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const api = useApi();
  return (
    <ConfirmAction
      onClose={onClose}
      title={t("Delete “{name}”?", { name: file.name })}
      action={t("Delete file")}
      run={() => api("DELETE /v1/files/{id}", { params: { id: file.id } })}
      done={t("{name} was deleted", { name: file.name })}
    >
      {lost()}
    </ConfirmAction>
  );
}
