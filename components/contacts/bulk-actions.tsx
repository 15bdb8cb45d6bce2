"use client";

import { MailCheck, MailX, Trash2 } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { count, counted, people as peopleWords } from "@/components/ui/numbers";
import { toast } from "@/components/ui/toast";
import { ApiError } from "@/lib/doors/http/client";
import type { Contact } from "@/lib/domain/contacts/schema";
import { isSuppressedState, maySubscribe, stateOf } from "./person-state";

/** What can be done with the selected people; always there, so that the table does not move. */
export function BulkActions({
  contacts,
  onDone,
}: {
  contacts: readonly Contact[];
  onDone: () => void;
}) {
  const api = useApi();
  const [deleting, setDeleting] = useState(false);
  const [subscribing, setSubscribing] = useState(false);
  const subscribe = useAction({
    mutationFn: async ({ people, on }: { people: readonly Contact[]; on: boolean }) => {
      if (people.length === 0) return;
      await api("POST /v1/contacts/bulk", {
        body: { contacts: people.map(({ email }) => ({ email, subscribed: on })) },
      });
    },
    onSuccess: (_, { people, on }) => {
      onDone();
      toast.success(
        `${counted(people.length, "contact")} ${on ? "subscribed" : "unsubscribed"}`,
        people.length > 0
          ? { action: { label: "Undo", run: () => subscribe.mutate({ people, on: !on }) } }
          : {},
      );
    },
    onError: (error) => toast.error("Nothing was changed", { description: messageOf(error) }),
  });
  const none = contacts.length === 0;
  return (
    <div
      className="flex min-h-10 flex-wrap items-center gap-2 border-b pb-2"
      role="toolbar"
      aria-label="Selected contacts"
    >
      <span className="mr-auto text-sm text-soft" aria-live="polite">
        {none
          ? "Select people to change several at once."
          : `${counted(contacts.length, "contact")} selected`}
      </span>
      {!none && (
        <>
          <Button size="sm" pending={subscribe.isPending} onClick={() => setSubscribing(true)}>
            <MailCheck aria-hidden /> Subscribe
          </Button>
          <Button
            size="sm"
            pending={subscribe.isPending}
            onClick={() =>
              subscribe.mutate({
                people: contacts.filter(({ subscribed }) => subscribed),
                on: false,
              })
            }
          >
            <MailX aria-hidden /> Unsubscribe
          </Button>
          <Button size="sm" onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden /> Delete
          </Button>
        </>
      )}
      {subscribing && (
        <SubscribeContacts
          contacts={contacts}
          onClose={() => setSubscribing(false)}
          onConfirm={() => {
            setSubscribing(false);
            subscribe.mutate({
              people: contacts.filter((contact) => maySubscribe(stateOf(contact))),
              on: true,
            });
          }}
        />
      )}
      {deleting && (
        <DeleteContacts contacts={contacts} onClose={() => setDeleting(false)} onDone={onDone} />
      )}
    </div>
  );
}

/** Asks first: somebody who unsubscribed is subscribed again only by an explicit act. */
function SubscribeContacts({
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

function DeleteContacts({
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
