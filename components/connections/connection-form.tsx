"use client";

import { useApi } from "@/components/api/use-api";
import { changedPart } from "@/components/form/changed";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { toast } from "@/components/ui/toast";
import {
  connectionInput,
  connectionUpdate,
  type Connection,
} from "@/lib/domain/connections/schema";
import { draftOf, emptyDraft, inputOf } from "./connection-draft";
import { ConnectionFields } from "./connection-fields";

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
      toast.success("Connection added", { description: "Test it before mail depends on it." });
      onClose();
    },
  });
  return (
    <DialogForm
      title="Add a connection"
      description="It carries mail within a minute: that of all domains if it is the standard connection, otherwise that of the domains that choose it."
      action="Add connection"
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
  const form = useForm({
    initial: draftOf(connection),
    schema: connectionUpdate,
    input: (draft, base) => ({
      ...changedPart(inputOf(base), inputOf(draft)),
      basedOn: connection.updatedAt,
    }),
    leaves: true,
    send: (body) => api("PATCH /v1/connections/{id}", { params: { id: connection.id }, body }),
    onSent: () => {
      toast.success("Connection saved");
      onClose();
    },
    onUnchanged: onClose,
  });
  return (
    <DialogForm title={`Edit ${connection.name}`} action="Save" onClose={onClose} form={form}>
      <ConnectionFields form={form} others={others} saved={connection} />
    </DialogForm>
  );
}
