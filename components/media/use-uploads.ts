"use client";

import { useState } from "react";
import { fieldFault, messageOf } from "@/components/api/faults";
import { useUpload } from "@/components/api/use-upload";
import { useInvalidateChanged } from "@/components/api/use-api";
import { largestFileBytes, type StoredFile } from "@/lib/domain/files/schema";
import { t } from "@/lib/ground/texts/t";

/** One file on its way. */
export interface Sending {
  key: number;
  name: string;
  /** 0 to 1. */
  share: number;
  /** What went wrong; null while nothing has. */
  fault: string | null;
}

let counter = 0;

/** Sends files one after the other, and shows how far each is. `onDone` gets those that arrived, once. */
export function useUploads(onDone: (files: readonly StoredFile[]) => void) {
  const upload = useUpload();
  const invalidateChanged = useInvalidateChanged();
  const [sendings, setSendings] = useState<readonly Sending[]>([]);
  const change = (key: number, part: Partial<Sending>) =>
    setSendings((all) =>
      all.map((sending) => (sending.key === key ? { ...sending, ...part } : sending)),
    );

  async function send(files: readonly File[]): Promise<void> {
    const queue = files.map((file) => ({ file, key: ++counter }));
    setSendings((all) => [
      ...all.filter(({ fault }) => fault === null),
      ...queue.map(({ file, key }) => ({ key, name: file.name, share: 0, fault: null })),
    ]);
    const arrived: StoredFile[] = [];
    for (const { file, key } of queue) {
      if (file.size > largestFileBytes) {
        change(key, { fault: t("This is larger than 25 MB.") });
        continue;
      }
      try {
        const path = `/v1/files?${new URLSearchParams({ filename: file.name }).toString()}`;
        const stored = await upload<StoredFile>(path, file, {
          type: "application/octet-stream",
          onProgress: (sent, total) => change(key, { share: total > 0 ? sent / total : 0 }),
        });
        setSendings((all) => all.filter((sending) => sending.key !== key));
        await invalidateChanged("POST /v1/files");
        arrived.push(stored);
      } catch (error) {
        change(key, { fault: fieldFault(error, "file") ?? messageOf(error) });
      }
    }
    if (arrived.length > 0) onDone(arrived);
  }

  return {
    sendings,
    send: (files: readonly File[]) => void send(files),
    dismiss: (key: number) => setSendings((all) => all.filter((sending) => sending.key !== key)),
  };
}
