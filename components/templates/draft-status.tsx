"use client";

import { useState } from "react";
import type { ServerDraft } from "@/components/form/use-server-draft";
import { t } from "@/lib/ground/texts/t";

type Status = ServerDraft<object>["status"];

const words: Readonly<Record<Status, () => string>> = {
  nothing: () => "",
  keeping: () => "",
  kept: () => t("Draft kept"),
  failed: () => t("Draft kept in this browser only"),
};

/** Says where what is not saved is kept. */
export function DraftStatus({ status }: { status: Status }) {
  // It stays as it is while more is being kept: a screen reader would say it again after every pause.
  const [told, setTold] = useState(status);
  if (status !== "keeping" && status !== told) setTold(status);
  // A hidden live region is not heard once it speaks.
  return (
    <span className="text-sm text-soft empty:sr-only" role="status">
      {words[told]()}
    </span>
  );
}
