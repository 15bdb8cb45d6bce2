"use client";

import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { RelativeTime } from "@/components/ui/relative-time";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";

/** Offers text that had not reached the server when the page was left. */
export function KeptWritingOffer({
  at,
  isDraft = false,
  onRestore,
  onDiscard,
}: {
  at: string;
  /** The server has it: it may come from another browser. */
  isDraft?: boolean;
  onRestore: () => void;
  onDiscard: () => void;
}) {
  return (
    <div className="mb-5">
      <Callout kind="info" alert title={t("You have unsaved text here")}>
        {isDraft
          ? rich("You wrote it {time} and did not save it. It was kept as your draft.", {
              time: <RelativeTime value={at} />,
            })
          : rich("This browser kept what you wrote {time} but could not save.", {
              time: <RelativeTime value={at} />,
            })}
        <span className="mt-2.5 flex flex-wrap gap-2">
          <Button size="sm" variant="primary" onClick={onRestore}>
            {t("Restore")}
          </Button>
          <Button size="sm" onClick={onDiscard}>
            {t("Discard")}
          </Button>
        </span>
      </Callout>
    </div>
  );
}
