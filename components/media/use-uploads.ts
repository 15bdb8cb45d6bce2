"use client";

import { useState } from "react";
import { fieldFault, messageOf } from "@/components/api/faults";
import { useProject } from "@/components/api/project-context";
import { useInvalidateChanged } from "@/components/api/use-api";
import { largestFileBytes, type StoredFile } from "@/lib/domain/files/schema";
import { uploadFile } from "./upload-file";

/** One file on its way. */
export interface Sending {
  key: number;
  name: string;
  /** 0 to 1. */
  share: number;
  /** What went wrong; null while it goes. */
  fault: string | null;
}

let counter = 0;

/** Sends files one after the other, and shows how far each is. */
export function useUploads(onDone?: (file: StoredFile) => void) {
  const { id: projectId } = useProject();
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
    for (const { file, key } of queue) {
      if (file.size > largestFileBytes) {
        change(key, { fault: "This is larger than 25 MB." });
        continue;
      }
      try {
        const stored = await uploadFile(projectId, file, "", (share) => change(key, { share }));
        setSendings((all) => all.filter((sending) => sending.key !== key));
        await invalidateChanged("POST /v1/files");
        onDone?.(stored);
      } catch (error) {
        change(key, { fault: fieldFault(error, "file") ?? messageOf(error) });
      }
    }
  }

  return {
    sendings,
    send: (files: readonly File[]) => void send(files),
    dismiss: (key: number) => setSendings((all) => all.filter((sending) => sending.key !== key)),
  };
}
