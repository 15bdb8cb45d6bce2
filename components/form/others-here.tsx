"use client";

import { Users } from "lucide-react";
import { useState } from "react";
import { useRead } from "@/components/api/use-read";
import { presenceSeconds } from "@/lib/domain/presence/schema";
import { t } from "@/lib/ground/texts/t";
import { browserTab } from "./browser-tab";
import { othersSentence } from "./others-words";

/** Tells that somebody else has the same document open. */
export function OthersHere({
  of: route,
  id,
}: {
  of: "POST /v1/templates/{id}/presence" | "POST /v1/campaigns/{id}/presence";
  id: string;
}) {
  const [tab] = useState(browserTab);
  const { data } = useRead(
    route,
    { params: { id }, body: { tab } },
    // A tab in the background has the document open, too.
    { every: presenceSeconds * 1_000, inBackground: true, retry: false, gcTime: 0 },
  );
  const sentence = data ? othersSentence(data) : "";
  return (
    <div role="status" className="empty:hidden">
      {sentence && (
        <p className="mb-5 flex items-start gap-2 rounded-md border bg-info-wash px-3 py-2 text-sm">
          <Users className="mt-0.5 size-4 shrink-0 text-info" aria-hidden />
          <span>
            {sentence}{" "}
            <span className="text-soft">
              {t("If both change the same part, whoever saves second chooses what is kept.")}
            </span>
          </span>
        </p>
      )}
    </div>
  );
}
