"use client";

import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { RelativeTime } from "@/components/ui/relative-time";

/** Offers text that had not reached the server when the page was left. */
export function KeptWritingOffer({
  at,
  onRestore,
  onDiscard,
}: {
  at: string;
  onRestore: () => void;
  onDiscard: () => void;
}) {
  return (
    <div className="mb-5">
      <Callout kind="info" alert title="You have unsaved text here">
        This browser kept what you wrote <RelativeTime value={at} /> but could not save.
        <span className="mt-2.5 flex flex-wrap gap-2">
          <Button size="sm" variant="primary" onClick={onRestore}>
            Restore
          </Button>
          <Button size="sm" onClick={onDiscard}>
            Discard
          </Button>
        </span>
      </Callout>
    </div>
  );
}
