"use client";

import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { ConfirmAction } from "@/components/form/confirm-action";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Field } from "@/components/ui/field";
import { count, counted } from "@/components/ui/numbers";
import { SuggestInput } from "@/components/ui/suggest-input";
import { bulkChangeInput } from "@/lib/domain/contact-fields/schema";
import { t } from "@/lib/ground/texts/t";
import { targetOf, type Chosen } from "./chosen";
import { ListChoice } from "./list-choice";
import { useStarted } from "./use-started";

interface OfChosen {
  chosen: Chosen<{ id: string }>;
  onClose: () => void;
  /** Given the id of what is under way. */
  onDone: (underWay: string | null) => void;
}

const numberOf = ({ count: number }: Chosen<{ id: string }>) => counted(number, "contact");

/** Puts a tag on them, or takes one off. */
export function TagDialog({
  action,
  chosen,
  onClose,
  onDone,
}: OfChosen & { action: "tag" | "untag" }) {
  const api = useApi();
  const started = useStarted(onDone);
  const tags = useRead("GET /v1/contacts/tags", {});
  const form = useForm({
    initial: { name: "" },
    schema: bulkChangeInput,
    input: ({ name }) => ({ action, name, ...targetOf(chosen) }),
    send: (body) => api("POST /v1/contacts/changes", { body }),
    onSent: (change) => {
      onClose();
      started(change);
    },
    leaves: true,
  });
  return (
    <DialogForm
      title={
        action === "tag"
          ? t("Tag {contacts}", { contacts: numberOf(chosen) })
          : t("Take a tag off {count, plural, one {# contact} other {# contacts}}", {
              count: chosen.count,
            })
      }
      description={
        action === "tag"
          ? t("Their other tags stay. You can take it back afterwards.")
          : t("Their other tags stay. You can put it back afterwards.")
      }
      action={action === "tag" ? t("Add tag") : t("Take off")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("Tag")} name="name" error={form.fault("name")}>
        <SuggestInput
          value={form.draft.name}
          onChange={(name) => form.set({ name })}
          suggestions={(tags.data?.data ?? []).map(({ tag }) => tag)}
          placeholder="vip"
          side="top"
        />
      </Field>
    </DialogForm>
  );
}

/** Has them join a list or leave one. */
export function ListDialog({
  action,
  chosen,
  onClose,
  onDone,
}: OfChosen & { action: "join_list" | "leave_list" }) {
  const api = useApi();
  const started = useStarted(onDone);
  const form = useForm({
    initial: { listId: "" },
    schema: bulkChangeInput,
    input: ({ listId }) => ({ action, listId: listId || undefined, ...targetOf(chosen) }),
    // Read by the schema, it has an empty name, which the API takes from nobody.
    send: ({ name: _name, ...body }) => api("POST /v1/contacts/changes", { body }),
    onSent: (change) => {
      onClose();
      started(change);
    },
    leaves: true,
  });
  const joins = action === "join_list";
  return (
    <DialogForm
      title={
        joins
          ? t("Add {contacts} to a list", { contacts: numberOf(chosen) })
          : t("Take {contacts} off a list", { contacts: numberOf(chosen) })
      }
      description={
        joins
          ? t("Nobody joins who left the list, or unsubscribed from everything.")
          : t("They stay contacts. It stays on record who left the list themselves.")
      }
      action={joins ? t("Add to list") : t("Take off list")}
      onClose={onClose}
      form={form}
    >
      <ListChoice
        value={form.draft.listId}
        onChange={(listId) => form.set({ listId })}
        none={t("Choose a list")}
        joins={joins}
        error={form.fault("listId")}
      />
    </DialogForm>
  );
}

/** Asks before all that match are unsubscribed or deleted. */
export function ConfirmAll({
  action,
  chosen,
  onClose,
  onDone,
}: OfChosen & { action: "unsubscribe" | "delete" }) {
  const api = useApi();
  const started = useStarted(onDone);
  const deletes = action === "delete";
  return (
    <ConfirmAction
      title={
        deletes
          ? t("Delete {contacts}?", { contacts: numberOf(chosen) })
          : t("Unsubscribe {contacts}?", { contacts: numberOf(chosen) })
      }
      action={
        deletes
          ? t("Delete {count}", { count: count(chosen.count) })
          : t("Unsubscribe {count}", { count: count(chosen.count) })
      }
      run={() => api("POST /v1/contacts/changes", { body: { action, ...targetOf(chosen) } })}
      onDone={started}
      onClose={onClose}
    >
      {deletes
        ? t(
            "This permanently deletes everybody who matches: address, name, tags and custom data. Mail waiting for them is not sent; figures of sent mail stay. It cannot be undone.",
          )
        : t(
            "They get no more campaigns. It cannot be undone for all at once: you can only subscribe people again page by page, or they do it themselves.",
          )}
    </ConfirmAction>
  );
}
