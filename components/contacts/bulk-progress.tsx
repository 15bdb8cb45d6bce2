"use client";

import { X } from "lucide-react";
import { useEffect } from "react";
import { messageOf } from "@/components/api/faults";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { ChangeUnderWay } from "@/components/contact-fields/change-list";
import { useFreshContacts } from "@/components/contact-fields/use-fresh-contacts";
import {
  changesShown,
  changeWords,
  isUnderWay,
  resultWords,
} from "@/components/contact-fields/words";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { count } from "@/components/ui/numbers";
import { toast } from "@/components/ui/toast";
import type { BulkChange } from "@/lib/domain/contact-fields/schema";
import { isOfChosen } from "@/lib/domain/contact-fields/terms";
import { phrases, t } from "@/lib/ground/texts/t";
import { useUndoBulkChange } from "./use-started";

/**
 * The change of many contacts that is under way, and what came of it if it was begun here, or ended while the page
 * was open.
 */
export function BulkProgress({
  watched,
  onWatch,
}: {
  /** The id of the change whose end is told. */
  watched: string | null;
  onWatch: (id: string | null) => void;
}) {
  const changes = useRead(
    "GET /v1/contacts/changes",
    { query: { limit: changesShown } },
    { every: (page) => (page?.data.some(isUnderWay) ? 1_000 : 30_000) },
  );
  const running = changes.data?.data.find(isUnderWay);
  const ended = changes.data?.data.find((change) => change.id === watched && !isUnderWay(change));
  // One that was begun here is under way until it is known to have ended.
  useFreshContacts(running !== undefined || (watched !== null && ended === undefined));
  const unseen = running && running.id !== watched ? running.id : null;
  useEffect(() => {
    if (unseen !== null) onWatch(unseen);
  }, [unseen, onWatch]);
  if (running) {
    return (
      <ChangeUnderWay change={running}>
        <Cancel change={running} />
      </ChangeUnderWay>
    );
  }
  return ended ? <Ended change={ended} onWatch={onWatch} /> : null;
}

function Cancel({ change }: { change: BulkChange }) {
  const api = useApi();
  const may = useMay("editor");
  const cancel = useAction({
    mutationFn: () => api("POST /v1/contacts/changes/{id}/cancel", { params: { id: change.id } }),
    onError: (error) =>
      toast.error(t("It could not be cancelled"), { description: messageOf(error) }),
  });
  // A field or tag cannot be left half renamed.
  if (!isOfChosen(change.action)) return null;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-3 text-sm text-soft">
      <span className="tabular-nums">
        {t("{processed} of {total} people", {
          processed: count(change.processed),
          total: count(change.total),
        })}
      </span>
      {may && (
        <Button size="sm" pending={cancel.isPending} onClick={() => cancel.mutate()}>
          <X aria-hidden /> {t("Cancel")}
        </Button>
      )}
    </div>
  );
}

const outcomes = phrases({
  FAILED: { word: "stopped", kind: "danger" },
  CANCELLED: { word: "cancelled", kind: "info" },
  COMPLETED: { word: "done", kind: "success" },
});

function Ended({ change, onWatch }: { change: BulkChange; onWatch: (id: string | null) => void }) {
  const undo = useUndoBulkChange(onWatch);
  const may = useMay("editor");
  const { status } = change;
  const { word, kind } =
    outcomes[status === "FAILED" || status === "CANCELLED" ? status : "COMPLETED"];
  return (
    <div className="mb-5">
      <Callout kind={kind} title={`${changeWords(change)}: ${word}`} alert>
        <p>
          {change.failureReason !== null && `${change.failureReason} `}
          {resultWords(change)}
        </p>
        <div className="mt-2 flex gap-2">
          {may && change.undoable && (
            <Button size="sm" pending={undo.isPending} onClick={() => undo.mutate(change.id)}>
              {t("Undo")}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={() => onWatch(null)}>
            {t("Dismiss")}
          </Button>
        </div>
      </Callout>
    </div>
  );
}
