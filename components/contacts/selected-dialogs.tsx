"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { ConfirmDialog } from "@/components/ui/dialog";
import { count, counted, people as peopleWords } from "@/components/ui/numbers";
import { toast } from "@/components/ui/toast";
import { ApiError } from "@/lib/doors/http/client";
import type { Contact } from "@/lib/domain/contacts/schema";
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
      title={`Subscribe ${counted(toSubscribe, "contact")}?`}
      action="Subscribe"
      variant="primary"
      onConfirm={onConfirm}
    >
      {unsubscribed > 0 && `${count(unsubscribed)} of them unsubscribed earlier. `}
      Subscribe people only if they asked for your mail.
      {suppressed > 0 &&
        ` ${peopleWords(suppressed)} stay${suppressed === 1 ? "s" : ""} unreachable: nothing is sent to a suppressed address.`}
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
      toast.success(`${counted(contacts.length, "contact")} deleted`);
      onDone();
      onClose();
    },
  });
  const number = counted(contacts.length, "contact");
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && !remove.isPending && onClose()}
      title={`Delete ${number}?`}
      action={remove.isPending ? `${gone} of ${contacts.length} deleted` : `Delete ${number}`}
      onConfirm={() => remove.mutate()}
      pending={remove.isPending}
      error={
        remove.isError
          ? `${gone} of ${contacts.length} were deleted before this happened: ${messageOf(remove.error)}`
          : null
      }
    >
      This permanently deletes {contacts.length === 1 ? contacts[0]?.email : "them"}: address, name,
      tags and custom data. Mail waiting for them is not sent; figures of sent mail stay.
    </ConfirmDialog>
  );
}
