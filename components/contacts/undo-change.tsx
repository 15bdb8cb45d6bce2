"use client";

import { Undo2 } from "lucide-react";
import { messageOf } from "@/components/api/faults";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Badge } from "@/components/ui/status";
import { toast } from "@/components/ui/toast";
import type { ContactChange } from "@/lib/domain/contact-story/schema";
import { t } from "@/lib/ground/texts/t";
import { byWords } from "./subscription-words";
import { fieldChanges } from "./timeline-words";

/** Who changed what from what to what, and the button that takes it back. */
export function ChangeDetails({ change, contactId }: { change: ContactChange; contactId: string }) {
  const path = useProjectPath();
  const { by, form, undone, undoable } = change;
  return (
    <>
      {by && byWords({ by, form })}
      {change.import && (
        <>
          {" ("}
          <Link
            href={path(`contacts/imports/${change.import.id}`)}
            className="underline underline-offset-2"
          >
            {t("see the import")}
          </Link>
          {")"}
        </>
      )}
      <ul>
        {fieldChanges(change).map(({ label, before, after }) => (
          <li key={label}>
            {label}: {before !== null && <del className="text-faint">{before}</del>}
            {before !== null && after !== null && " → "}
            {after !== null && <ins className="text-ink no-underline">{after}</ins>}
          </li>
        ))}
      </ul>
      {undone && <Badge>{t("undone")}</Badge>}
      {undoable && <UndoChange change={change} contactId={contactId} />}
    </>
  );
}

function UndoChange({ change, contactId }: { change: ContactChange; contactId: string }) {
  const api = useApi();
  const may = useMay("editor");
  const undo = useAction({
    mutationFn: () =>
      api("POST /v1/contacts/{id}/timeline/{changeId}/undo", {
        params: { id: contactId, changeId: change.id },
      }),
    onSuccess: () => toast.success(t("The change was undone")),
    onError: (error) => toast.error(t("Nothing was undone"), { description: messageOf(error) }),
  });
  if (!may) return null;
  return (
    <Button
      size="sm"
      variant="ghost"
      className="-ml-2.5"
      pending={undo.isPending}
      onClick={() => undo.mutate()}
    >
      <Undo2 aria-hidden /> {t("Undo")}
    </Button>
  );
}
