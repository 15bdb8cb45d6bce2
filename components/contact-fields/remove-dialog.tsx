"use client";

import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { t } from "@/lib/ground/texts/t";
import { ChangePreview, usePreview } from "./change-preview";
import { subjects, type SubjectKind } from "./words";

/** Takes a field or a tag from everybody, once the reader has seen what that changes. */
export function RemoveEverywhere({
  kind,
  name,
  onClose,
}: {
  kind: SubjectKind;
  name: string;
  onClose: () => void;
}) {
  const api = useApi();
  const body = { action: subjects[kind].remove, name };
  const { read } = usePreview(body);
  const removing = useAction({
    mutationFn: () => api("POST /v1/contacts/changes", { body }),
    onSuccess: () => {
      toast.success(t("The removal has begun"));
      onClose();
    },
    leaves: true,
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        kind === "field"
          ? t("Remove the field {name}?", { name })
          : t("Remove the tag {name}?", { name })
      }
      description={
        kind === "field"
          ? t(
              "Everybody’s value is deleted. This cannot be undone: export your contacts first if you may need them.",
            )
          : t("It is taken off everybody. This cannot be undone.")
      }
      footer={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button
            variant="danger"
            pending={removing.isPending}
            disabled={read.data === undefined || read.data.refusal !== null}
            onClick={() => removing.mutate()}
          >
            {kind === "field" ? t("Remove field") : t("Remove tag")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ChangePreview kind={kind} newName={null} read={read} />
        {removing.isError && (
          <p role="alert" className="text-sm text-danger">
            {messageOf(removing.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
