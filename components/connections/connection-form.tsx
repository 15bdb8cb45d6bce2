"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { changedPart } from "@/components/form/changed";
import { DialogForm } from "@/components/form/dialog-form";
import { Unsettled } from "@/components/form/unsaved-changes";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { toast } from "@/components/ui/toast";
import type { Connection, ConnectionUpdate } from "@/lib/domain/connections/schema";
import { t } from "@/lib/ground/texts/t";
import { draftOf, emptyDraft, inputOf, labels, writtenBy, type Draft } from "./connection-draft";
import { ConnectionFields } from "./connection-fields";

const schemas = () => import("@/lib/domain/connections/schema");
const connectionInput = lazySchema(async () => (await schemas()).connectionInput);
const connectionUpdate = lazySchema(async () => (await schemas()).connectionUpdate);

/** The dialog that adds a connection. */
export function NewConnection({
  others,
  mx,
  onClose,
}: {
  others: readonly Connection[];
  mx: boolean;
  onClose: () => void;
}) {
  const api = useApi();
  const form = useForm({
    initial: { ...emptyDraft, standard: others.length === 0 },
    schema: connectionInput,
    input: inputOf,
    leaves: true,
    send: (body) => api("POST /v1/connections", { body }),
    onSent: () => {
      toast.success(t("Connection added"), {
        description: t("Test it before mail depends on it."),
      });
      onClose();
    },
  });
  return (
    <DialogForm
      title={t("Add a connection")}
      description={t(
        "It carries mail within a minute: that of all domains if it is the standard connection, otherwise that of the domains that choose it.",
      )}
      action={t("Add connection")}
      onClose={onClose}
      form={form}
    >
      <ConnectionFields form={form} others={others} mx={mx} />
    </DialogForm>
  );
}

/** The dialog that changes one. */
export function EditConnection({
  connection,
  others,
  onClose,
}: {
  connection: Connection;
  others: readonly Connection[];
  onClose: () => void;
}) {
  const api = useApi();
  const params = { id: connection.id };
  // The list reads on behind the dialog: what was written here began with this.
  const [saved, setSaved] = useState(connection);
  const saves = useSaves<Connection, Draft, ConnectionUpdate>({
    saved,
    onNewer: setSaved,
    draftOf,
    written: writtenBy,
    change: (body) => api("PATCH /v1/connections/{id}", { params, body }),
    read: () => api("GET /v1/connections/{id}", { params }),
  });
  const form = useForm({
    initial: draftOf(connection),
    schema: connectionUpdate,
    input: (draft, base) => changedPart(inputOf(base), inputOf(draft)),
    leaves: true,
    send: saves.save,
    onSent: () => {
      toast.success(t("Connection saved"));
      onClose();
    },
    onUnchanged: onClose,
  });
  return (
    <DialogForm
      title={t("Edit {name}", { name: connection.name })}
      action={t("Save")}
      onClose={onClose}
      form={form}
    >
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={null}
        label={(field) => labels()[field]}
        tell={(draft, field) => {
          const value = draft[field];
          if (field === "fallbackId") return others.find(({ id }) => id === value)?.name ?? "";
          return typeof value === "boolean" ? (value ? t("Yes") : t("No")) : value;
        }}
      />
      <ConnectionFields form={form} others={others} saved={connection} />
    </DialogForm>
  );
}
