"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { ConfirmDialog } from "@/components/ui/dialog";
import { counted } from "@/components/ui/numbers";
import { toast } from "@/components/ui/toast";
import { ApiError } from "@/lib/doors/http/client";
import type { Contact } from "@/lib/domain/contacts/schema";
import { t } from "@/lib/ground/texts/t";
import { isSuppressedState, maySubscribe, stateOf } from "./person-state";

/** Asks first: somebody who unsubscribed is subscribed again only by an explicit act. */
export function SubscribeContacts({
  contacts,
  onClose,
  onConfirm,
}: {
  contacts: readonly Contact[];
  onClose: () => void;
  onConfirm: () => void;
}) {
  const states = contacts.map(stateOf);
  const toSubscribe = states.filter(maySubscribe).length;
  const unsubscribed = states.filter((state) => state === "unsubscribed").length;
  const suppressed = states.filter(isSuppressedState).length;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("Subscribe {contacts}?", { contacts: counted(toSubscribe, "contact") })}
      action={t("Subscribe")}
      variant="primary"
      onConfirm={onConfirm}
    >
      {[
        unsubscribed > 0 &&
          t("{count, number} of them unsubscribed earlier.", { count: unsubscribed }),
        t("Subscribe people only if they asked for your mail."),
        suppressed > 0 &&
          t(
            "{count, plural, one {# person stays} other {# people stay}} unreachable: nothing is sent to a suppressed address.",
            { count: suppressed },
          ),
      ]
        .filter(Boolean)
        .join(" ")}
    </ConfirmDialog>
  );
}

/** Asks first, and deletes them one by one. */
export function DeleteContacts({
  contacts: selected,
  onClose,
  onDone,
}: {
  contacts: readonly Contact[];
  onClose: () => void;
  onDone: () => void;
}) {
  const api = useApi();
  // The list loses them one by one while it runs.
  const [contacts] = useState(selected);
  const [gone, setGone] = useState(0);
  const remove = useAction({
    mutationFn: async () => {
      for (const { id } of contacts.slice(gone)) {
        await api("DELETE /v1/contacts/{id}", { params: { id } }).catch((error: unknown) => {
          if (!(error instanceof ApiError && error.code === "NOT_FOUND")) throw error;
        });
        setGone((count) => count + 1);
      }
    },
    onSuccess: () => {
      toast.success(t("{contacts} deleted", { contacts: counted(contacts.length, "contact") }));
      onDone();
      onClose();
    },
  });
  const number = counted(contacts.length, "contact");
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && !remove.isPending && onClose()}
      title={t("Delete {contacts}?", { contacts: number })}
      action={
        remove.isPending
          ? t("{gone} of {total} deleted", { gone, total: contacts.length })
          : t("Delete {contacts}", { contacts: number })
      }
      onConfirm={() => remove.mutate()}
      pending={remove.isPending}
      error={
        remove.isError
          ? t("{gone} of {total} were deleted before this happened: {error}", {
              gone,
              total: contacts.length,
              error: messageOf(remove.error),
            })
          : null
      }
    >
      {contacts.length === 1
        ? t(
            "This permanently deletes {email}: address, name, tags and custom data. Mail waiting for them is not sent; figures of sent mail stay.",
            { email: contacts[0]?.email },
          )
        : t(
            "This permanently deletes them: address, name, tags and custom data. Mail waiting for them is not sent; figures of sent mail stay.",
          )}
    </ConfirmDialog>
  );
}
