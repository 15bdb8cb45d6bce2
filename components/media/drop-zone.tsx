"use client";

import clsx from "clsx";
import { ImageUp, X } from "lucide-react";
import { useState } from "react";
import { buttonClass, IconButton } from "@/components/ui/button";
import { FileInput } from "@/components/ui/file-input";
import { t } from "@/lib/ground/texts/t";
import type { Sending } from "./use-uploads";

/** A place to drop files on, or to choose them; below it, uploads under way and those that failed. */
export function DropZone({
  sendings,
  onFiles,
  onDismiss,
  picturesOnly = false,
}: {
  sendings: readonly Sending[];
  onFiles: (files: readonly File[]) => void;
  onDismiss: (key: number) => void;
  /** Beside a form, to choose an image: says so, and leaves the primary look to the form's own button. */
  picturesOnly?: boolean;
}) {
  const [over, setOver] = useState(false);
  return (
    <div className={picturesOnly ? "" : "mb-6"}>
      <label
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          onFiles([...event.dataTransfer.files]);
        }}
        className={clsx(
          "flex cursor-pointer flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-dashed px-4 py-5 transition-colors focus-within:outline-2 focus-within:outline-accent",
          over ? "border-accent bg-accent-wash" : "border-rule-strong bg-sheet hover:bg-hover",
        )}
      >
        <ImageUp className="size-7 text-accent-ink" strokeWidth={1.25} aria-hidden />
        <span className="min-w-48 flex-1">
          <span className="block font-medium">{t("Drop files here")}</span>
          <span className="block text-sm text-soft">
            {picturesOnly
              ? t("PNG, JPEG, GIF, WebP. Up to 25 MB each.")
              : t("Images, PDFs, calendars, Office documents, text. Up to 25 MB each.")}
          </span>
        </span>
        <span className={buttonClass(picturesOnly ? "secondary" : "primary")}>
          {t("Choose files")}
        </span>
        <FileInput
          multiple
          accept={picturesOnly ? "image/*" : undefined}
          label={t("Files to upload")}
          onFiles={onFiles}
        />
      </label>
      {sendings.length > 0 && (
        <ul className="mt-3 flex flex-col gap-1.5 text-sm" aria-label={t("Uploads")}>
          {sendings.map(({ key, name, share, fault }) => (
            <li key={key} className="flex items-center gap-3">
              {fault === null ? (
                <>
                  <span className="min-w-0 flex-1 truncate">{name}</span>
                  <progress value={share} max={1} aria-label={t("Uploading {name}", { name })} />
                </>
              ) : (
                <>
                  <span role="alert" className="min-w-0 flex-1 wrap-anywhere text-danger">
                    <span className="font-medium">{name}</span>: {fault}
                  </span>
                  <IconButton
                    label={t("Dismiss {name}", { name })}
                    size="sm"
                    onClick={() => onDismiss(key)}
                  >
                    <X aria-hidden />
                  </IconButton>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
