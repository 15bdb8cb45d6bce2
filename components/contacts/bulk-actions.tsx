"use client";

import { ListPlus, MailCheck, MailX, Tag, Trash2 } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { EachDialog } from "@/components/list-page/each-actions";
import { SelectionBar } from "@/components/list-page/selection-bar";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { Menu, MenuItem } from "@/components/ui/menu";
import { counted } from "@/components/ui/numbers";
import { toast } from "@/components/ui/toast";
import type { Contact } from "@/lib/domain/contacts/schema";
import { t } from "@/lib/ground/texts/t";
import type { Chosen } from "./chosen";
import { ExportContacts } from "./export-contacts";
import { maySubscribe, stateOf } from "./person-state";

const selectedDialogs = () => import("./selected-dialogs");
const SubscribeContacts = deferredDialog(() =>
  selectedDialogs().then((module) => module.SubscribeContacts),
);
const bulkDialogs = () => import("./bulk-dialogs");
const ConfirmAll = deferredDialog(() => bulkDialogs().then((module) => module.ConfirmAll));
const ListDialog = deferredDialog(() => bulkDialogs().then((module) => module.ListDialog));
const TagDialog = deferredDialog(() => bulkDialogs().then((module) => module.TagDialog));
const dialogs = [ConfirmAll, EachDialog, ListDialog, TagDialog, SubscribeContacts];
const allDialogs = { load: () => Promise.all(dialogs.map(({ load }) => load())) };

type Asked = "subscribe" | "unsubscribe" | "delete" | "tag" | "untag" | "join_list" | "leave_list";

/** What can be done with those chosen; always there, so that the table does not move. */
export function BulkActions({
  chosen,
  onDone,
}: {
  chosen: Chosen;
  /** Given the id of a change that is under way. */
  onDone: (underWay: string | null) => void;
}) {
  const api = useApi();
  const [asked, setAsked] = useState<Asked | null>(null);
  useLoaded(allDialogs, chosen.count > 0);
  const subscribe = useAction({
    mutationFn: async ({ people, on }: { people: readonly Contact[]; on: boolean }) => {
      if (people.length === 0) return;
      await api("POST /v1/contacts/bulk", {
        body: { contacts: people.map(({ email }) => ({ email, subscribed: on })) },
      });
    },
    onSuccess: (_, { people, on }) => {
      onDone(null);
      const contacts = counted(people.length, "contact");
      toast.success(
        on ? t("{contacts} subscribed", { contacts }) : t("{contacts} unsubscribed", { contacts }),
        people.length > 0
          ? { action: { label: t("Undo"), run: () => subscribe.mutate({ people, on: !on }) } }
          : {},
      );
    },
    onError: (error) => toast.error(t("Nothing was changed"), { description: messageOf(error) }),
  });
  const some = chosen.kind === "some" ? chosen.contacts : null;
  const close = () => setAsked(null);
  const of = { chosen, onDone, onClose: close };
  return (
    <SelectionBar
      label={t("Selected contacts")}
      words={
        chosen.count === 0
          ? t("Select people to change several at once.")
          : t("{contacts} selected", { contacts: counted(chosen.count, "contact") })
      }
    >
      {chosen.count > 0 && (
        <>
          <Menu
            align="start"
            trigger={
              <Button size="sm">
                <Tag aria-hidden /> {t("Tag")}
              </Button>
            }
          >
            <MenuItem onClick={() => setAsked("tag")}>{t("Add a tag")}</MenuItem>
            <MenuItem onClick={() => setAsked("untag")}>{t("Take off a tag")}</MenuItem>
          </Menu>
          <Menu
            align="start"
            trigger={
              <Button size="sm">
                <ListPlus aria-hidden /> {t("List")}
              </Button>
            }
          >
            <MenuItem onClick={() => setAsked("join_list")}>{t("Add to a list")}</MenuItem>
            <MenuItem onClick={() => setAsked("leave_list")}>{t("Take off a list")}</MenuItem>
          </Menu>
          {some && (
            <Button size="sm" pending={subscribe.isPending} onClick={() => setAsked("subscribe")}>
              <MailCheck aria-hidden /> {t("Subscribe")}
            </Button>
          )}
          <Button
            size="sm"
            pending={subscribe.isPending}
            onClick={() =>
              some
                ? subscribe.mutate({
                    people: some.filter(({ subscribed }) => subscribed),
                    on: false,
                  })
                : setAsked("unsubscribe")
            }
          >
            <MailX aria-hidden /> {t("Unsubscribe")}
          </Button>
          <Button size="sm" onClick={() => setAsked("delete")}>
            <Trash2 aria-hidden /> {t("Delete")}
          </Button>
          {chosen.kind === "all" && (
            <ExportContacts query={chosen.query} size="sm">
              {t("Export")}
            </ExportContacts>
          )}
        </>
      )}
      {asked === "subscribe" && some && (
        <SubscribeContacts
          contacts={some}
          onClose={close}
          onConfirm={() => {
            close();
            subscribe.mutate({
              people: some.filter((contact) => maySubscribe(stateOf(contact))),
              on: true,
            });
          }}
        />
      )}
      {asked === "delete" && some && (
        <DeleteContacts contacts={some} onClose={close} onDone={() => onDone(null)} />
      )}
      {(asked === "delete" || asked === "unsubscribe") && !some && (
        <ConfirmAll action={asked} {...of} />
      )}
      {(asked === "tag" || asked === "untag") && <TagDialog action={asked} {...of} />}
      {(asked === "join_list" || asked === "leave_list") && <ListDialog action={asked} {...of} />}
    </SelectionBar>
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
  const number = counted(contacts.length, "contact");
  return (
    <EachDialog
      things={contacts.map(({ id, email }) => ({ id, name: email }))}
      title={t("Delete {contacts}?", { contacts: number })}
      action={t("Delete {contacts}", { contacts: number })}
      run={(id) => api("DELETE /v1/contacts/{id}", { params: { id } })}
      done={(count) => t("{contacts} deleted", { contacts: counted(count, "contact") })}
      onDone={onDone}
      onClose={onClose}
    >
      {contacts.length === 1
        ? t(
            "This permanently deletes {email}: address, name, tags and custom data. Mail waiting for them is not sent; figures of sent mail stay.",
            { email: contacts[0]?.email },
          )
        : t(
            "This permanently deletes them: address, name, tags and custom data. Mail waiting for them is not sent; figures of sent mail stay.",
          )}
    </EachDialog>
  );
}
