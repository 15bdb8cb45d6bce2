"use client";

import { ConfirmDialog } from "@/components/ui/dialog";
import { counted } from "@/components/ui/numbers";
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
