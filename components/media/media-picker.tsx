"use client";

import clsx from "clsx";
import { useState } from "react";
import { z } from "zod";
import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import { DialogForm } from "@/components/form/dialog-form";
import type { Faults } from "@/components/form/faults";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import type { StoredFile } from "@/lib/domain/files/schema";
import { t } from "@/lib/ground/texts/t";
import { DropZone } from "./drop-zone";
import { isPicture, Thumbnail } from "./thumbnail";
import { useUploads } from "./use-uploads";

const shown = 24;

/** An image of the library, and what it says to those who cannot see it. */
export interface ChosenPicture {
  url: string;
  alt: string;
}

interface Draft {
  picture: StoredFile | null;
  alt: string;
}

const picture = z.object({
  picture: z.custom<StoredFile>((file) => file !== null),
  alt: z.string().trim(),
});

/** Chooses an image from the library, or a new one. */
export function MediaPicker({
  onClose,
  onChoose,
}: {
  onClose: () => void;
  onChoose: (picture: ChosenPicture) => void;
}) {
  const [search, setSearch] = useState("");
  const form = useForm({
    initial: (): Draft => ({ picture: null, alt: "" }),
    schema: picture,
    check: (draft): Faults => (draft.picture ? {} : { "": t("Choose an image first.") }),
    guard: false,
    // Nothing is sent: the choice goes to the caller.
    send: (choice) => Promise.resolve(choice),
    onSent: ({ picture: { url }, alt }) => onChoose({ url, alt }),
  });
  const chosen = form.draft.picture;
  const { sendings, send, dismiss } = useUploads((files) => {
    const picture = files.findLast(isPicture);
    if (picture) form.set({ picture });
  });
  const query = { search: useSettled(search.trim()), limit: shown };
  const list = useRead("GET /v1/files", { query });
  const pictures = list.data?.data.filter(isPicture) ?? [];
  return (
    <DialogForm
      title={t("Insert an image")}
      action={t("Insert image")}
      onClose={onClose}
      form={list.isError ? { ...form, whole: messageOf(list.error) } : form}
    >
      <DropZone picturesOnly sendings={sendings} onFiles={send} onDismiss={dismiss} />
      <Field label={t("Search by name or folder")} labelHidden>
        <Input
          type="search"
          autoComplete="off"
          placeholder={t("Search by name or folder")}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </Field>
      <ul
        aria-label={t("Images")}
        className="grid max-h-72 grid-cols-3 gap-3 overflow-y-auto p-0.5 sm:grid-cols-4"
      >
        {list.isPending &&
          Array.from({ length: 4 }, (_, at) => (
            <li key={at}>
              <Skeleton className="aspect-4/3" />
            </li>
          ))}
        {pictures.map((file) => (
          <li key={file.id}>
            <button
              type="button"
              aria-pressed={chosen?.id === file.id}
              onClick={() => form.set({ picture: file })}
              className={clsx(
                "block w-full rounded-md p-1 text-left",
                chosen?.id === file.id
                  ? "bg-accent-wash outline-2 outline-accent"
                  : "hover:bg-hover",
              )}
            >
              <Thumbnail file={file} />
              <span className="mt-1 block truncate text-xs">{file.name}</span>
            </button>
          </li>
        ))}
        {list.isSuccess && pictures.length === 0 && (
          <li className="col-span-full py-4 text-center text-sm text-soft">
            {query.search ? t("No image matches.") : t("There are no images in the library yet.")}
          </li>
        )}
      </ul>
      <Field
        label={t("Alternative text")}
        optional
        hint={t("Describes the image for people who cannot see it. Leave empty for decoration.")}
      >
        <Input {...form.text("alt")} autoComplete="off" />
      </Field>
    </DialogForm>
  );
}
