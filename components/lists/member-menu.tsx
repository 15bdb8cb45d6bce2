"use client";

import { MailCheck, MailX, MoreHorizontal, Pencil, UserMinus } from "lucide-react";
import { messageOf } from "@/components/api/faults";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { ConfirmAction } from "@/components/form/confirm-action";
import { useAction } from "@/components/form/use-action";
import { IconButton } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import type { ListMember, MailingListDetail } from "@/lib/domain/lists/schema";
import { t } from "@/lib/ground/texts/t";

/** What can be done with one subscriber. */
export function MemberMenu({
  member,
  onEdit,
  onRemove,
}: {
  member: ListMember;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const api = useApi();
  const may = useMay("editor");
  const move = useAction({
    mutationFn: (to: "subscribe" | "unsubscribe") => {
      const params = { id: member.id };
      return to === "subscribe"
        ? api("POST /v1/subscribers/{id}/subscribe", { params })
        : api("POST /v1/subscribers/{id}/unsubscribe", { params });
    },
    onSuccess: (moved, to) => {
      const on = moved.status === "subscribed";
      // Somebody who had never confirmed is not confirmed by an undo.
      const back = to === "subscribe" ? "unsubscribe" : "subscribe";
      const undoable = member.status === (to === "subscribe" ? "unsubscribed" : "subscribed");
      const { email } = moved;
      toast.success(
        on ? t("{email} is subscribed", { email }) : t("{email} is unsubscribed", { email }),
        {
          ...(undoable && { action: { label: t("Undo"), run: () => move.mutate(back) } }),
          ...(on && moved.leftEverything
            ? {
                description: t(
                  "Campaigns still skip them: they unsubscribed from all of your mail.",
                ),
              }
            : {}),
        },
      );
    },
    onError: (error) => toast.error(t("Nothing was changed"), { description: messageOf(error) }),
  });
  if (!may) return null;
  const on = member.status === "subscribed";
  return (
    <div className="relative z-10 inline-block">
      <Menu
        trigger={
          <IconButton label={t("Actions for {email}", { email: member.email })} size="sm">
            <MoreHorizontal aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onClick={onEdit}>
          <Pencil aria-hidden /> {t("Edit")}
        </MenuItem>
        {on || member.status === "unconfirmed" ? (
          <MenuItem onClick={() => move.mutate("unsubscribe")}>
            <MailX aria-hidden /> {t("Unsubscribe")}
          </MenuItem>
        ) : null}
        {!on && (
          <MenuItem onClick={() => move.mutate("subscribe")}>
            <MailCheck aria-hidden /> {t("Subscribe")}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger onClick={onRemove}>
          <UserMinus aria-hidden /> {t("Remove from list")}
        </MenuItem>
      </Menu>
    </div>
  );
}

/** Asks before somebody is taken off a list for good. */
export function RemoveSubscriber({
  list,
  member,
  onClose,
}: {
  list: MailingListDetail;
  member: ListMember;
  onClose: () => void;
}) {
  const api = useApi();
  return (
    <ConfirmAction
      onClose={onClose}
      title={t("Remove {email} from “{name}”?", { email: member.email, name: list.name })}
      action={t("Remove from list")}
      run={() => api("DELETE /v1/subscribers/{id}", { params: { id: member.id } })}
      done={t("{email} was removed from the list", { email: member.email })}
    >
      {t(
        "This deletes what they entered in the list’s fields, and the record of when they joined or left. To keep that, unsubscribe them instead. The contact stays.",
      )}
    </ConfirmAction>
  );
}
