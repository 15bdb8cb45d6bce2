"use client";

import { MailX, Tag, UserMinus } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { EachActions } from "@/components/list-page/each-actions";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { counted } from "@/components/ui/numbers";
import type { ListMember, MailingListDetail } from "@/lib/domain/lists/schema";
import { t } from "@/lib/ground/texts/t";

const TagDialog = deferredDialog(() =>
  import("@/components/contacts/bulk-dialogs").then((module) => module.TagDialog),
);

/** What can be done with several of a list's subscribers. */
export function SubscriberActions({
  list,
  chosen,
  onDone,
}: {
  list: MailingListDetail;
  chosen: readonly ListMember[];
  onDone: () => void;
}) {
  const api = useApi();
  const [tagging, setTagging] = useState<readonly ListMember[] | null>(null);
  useLoaded(TagDialog, chosen.length > 0);
  const thingOf = ({ id, email }: ListMember) => ({ id, name: email });
  // Somebody who never confirmed would not be what they were after an undo.
  const subscribed = chosen.filter(({ status }) => status === "subscribed");
  const [leaving, removed] = [
    counted(subscribed.length, "subscriber"),
    counted(chosen.length, "subscriber"),
  ];
  const { name } = list;
  return (
    <>
      <EachActions
        label={t("Selected subscribers")}
        hint={t("Select subscribers to change several at once.")}
        chosen={chosen.length}
        actions={[
          {
            label: t("Unsubscribe"),
            icon: MailX,
            things: subscribed.map(thingOf),
            title: t("Unsubscribe {subscribers} from “{name}”?", { subscribers: leaving, name }),
            lost: t(
              "Campaigns to this list no longer reach them. You can take it back afterwards.",
            ),
            action: t("Unsubscribe {subscribers}", { subscribers: leaving }),
            variant: "primary",
            run: (id) => api("POST /v1/subscribers/{id}/unsubscribe", { params: { id } }),
            done: (count) =>
              t("{subscribers} unsubscribed", { subscribers: counted(count, "subscriber") }),
            undo: (id) => api("POST /v1/subscribers/{id}/subscribe", { params: { id } }),
          },
          {
            label: t("Remove from list"),
            icon: UserMinus,
            things: chosen.map(thingOf),
            title: t("Remove {subscribers} from “{name}”?", { subscribers: removed, name }),
            lost: t(
              "This deletes what they entered in the list’s fields, and the record of when they joined or left. To keep that, unsubscribe them instead. The contacts stay.",
            ),
            action: t("Remove {subscribers}", { subscribers: removed }),
            run: (id) => api("DELETE /v1/subscribers/{id}", { params: { id } }),
            done: (count) =>
              t("{subscribers} removed from the list", {
                subscribers: counted(count, "subscriber"),
              }),
          },
        ]}
        onDone={onDone}
      >
        <Button size="sm" onClick={() => setTagging(chosen)}>
          <Tag aria-hidden /> {t("Tag")}
        </Button>
      </EachActions>
      {tagging && (
        <TagDialog
          action="tag"
          chosen={{
            kind: "some",
            contacts: tagging.map(({ contactId }) => ({ id: contactId })),
            count: tagging.length,
          }}
          onDone={onDone}
          onClose={() => setTagging(null)}
        />
      )}
    </>
  );
}
