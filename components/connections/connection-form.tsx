"use client";

import { useApi } from "@/components/api/use-api";
import { changedPart } from "@/components/form/changed";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm, type Form } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { Checkbox } from "@/components/ui/toggle";
import {
  connectionInput,
  connectionUpdate,
  type Connection,
} from "@/lib/domain/connections/schema";

type Tls = Connection["tls"];
const modes: readonly { value: Tls; label: string; hint: string }[] = [
  { value: "required", label: "STARTTLS", hint: "Encrypted after connecting, usual for port 587" },
  { value: "implicit", label: "TLS", hint: "Encrypted from the first byte, usual for port 465" },
  { value: "opportunistic", label: "STARTTLS if offered", hint: "Only without a user name" },
  { value: "off", label: "Never encrypted", hint: "Only without a user name" },
];

interface Draft {
  name: string;
  host: string;
  port: string;
  tls: Tls;
  user: string;
  password: string;
  sessions: string;
  standard: boolean;
  /** Empty: none. */
  fallbackId: string;
}

const nothing: Draft = {
  ...{ name: "", host: "", port: "587", tls: "required", user: "", password: "" },
  ...{ sessions: "5", standard: false, fallbackId: "" },
};

const draftOf = (connection: Connection): Draft => ({
  ...connection,
  port: String(connection.port),
  user: connection.user ?? "",
  password: "",
  sessions: String(connection.sessions),
  fallbackId: connection.fallbackId ?? "",
});

const inputOf = ({ name, host, port, tls, user, password, ...rest }: Draft) => ({
  ...{ name, host, tls },
  port: Number(port),
  user: user.trim() || null,
  sessions: Number(rest.sessions),
  standard: rest.standard,
  fallbackId: rest.fallbackId || null,
  ...(password === "" ? {} : { password }),
});

/** The dialog that adds a connection. */
export function NewConnection({
  others,
  onClose,
}: {
  others: readonly Connection[];
  onClose: () => void;
}) {
  const api = useApi();
  const form = useForm({
    initial: { ...nothing, standard: others.length === 0 },
    schema: connectionInput,
    input: (draft) => ({ ...inputOf(draft), kind: "smtp" }),
    leaves: true,
    send: (body) => api("POST /v1/connections", { body }),
    onSent: () => {
      toast.success("Connection added", { description: "Test it before mail depends on it." });
      onClose();
    },
  });
  return (
    <DialogForm
      title="Add a mail server"
      description="This project’s mail will go out through it, starting within a minute."
      action="Add connection"
      onClose={onClose}
      form={form}
    >
      <Fields form={form} others={others} />
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
      <Fields form={form} others={others} kept={connection.user !== null} />
    </DialogForm>
  );
}

function Fields({
  form,
  others,
  kept = false,
}: {
  form: Form<Draft>;
  others: readonly Connection[];
  /** A password is kept. */
  kept?: boolean;
}) {
  const fallbacks = [
    { value: "", label: "None: mail waits" },
    ...others.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <>
      <Field label="Name" name="name" error={form.fault("name")}>
        <Input {...form.text("name")} maxLength={100} autoComplete="off" />
      </Field>
      <Field label="Host" name="host" error={form.fault("host")}>
        <Input {...form.text("host")} placeholder="smtp.example.com" autoComplete="off" />
      </Field>
      <Field label="Port" name="port" error={form.fault("port")}>
        <Input {...form.text("port")} inputMode="numeric" autoComplete="off" />
      </Field>
      <Field label="Encryption" name="tls" error={form.fault("tls")}>
        <Select options={modes} value={form.draft.tls} onChange={(tls) => form.set({ tls })} />
      </Field>
      <Field label="User name" name="user" optional error={form.fault("user")}>
        <Input {...form.text("user")} autoComplete="off" />
      </Field>
      <Field
        label="Password"
        name="password"
        optional
        hint={
          kept
            ? "Kept sealed and never shown. Enter it again when host, port or encryption change."
            : "Kept sealed and never shown."
        }
        error={form.fault("password")}
      >
        <Input {...form.text("password")} type="password" autoComplete="new-password" />
      </Field>
      <Field
        label="Sessions at once"
        name="sessions"
        hint="As many as the server allows, from 1 to 50."
        error={form.fault("sessions")}
      >
        <Input {...form.text("sessions")} inputMode="numeric" autoComplete="off" />
      </Field>
      {others.length > 0 && (
        <Field
          label="Fallback"
          name="fallbackId"
          hint="Takes over while this one cannot be used or asks for less mail."
          error={form.fault("fallbackId")}
        >
          <Select
            options={fallbacks}
            value={form.draft.fallbackId}
            onChange={(fallbackId) => form.set({ fallbackId })}
          />
        </Field>
      )}
      <Checkbox
        label="Standard connection"
        hint="Sends the mail of all domains that do not choose another."
        checked={form.draft.standard}
        onChange={(standard) => form.set({ standard })}
      />
    </>
  );
}
