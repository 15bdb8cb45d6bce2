"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { passwordChange } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";
import type { Proofs } from "./passkey-dialogs";

/** Asks for the current password, or what proves who has none, and for the new one. */
export function PasswordDialog({ proofs, onClose }: { proofs: Proofs; onClose: () => void }) {
  const api = useApi();
  const { hasPassword, enabled } = proofs;
  const [visible, setVisible] = useState(false);
  const by = hasPassword ? "password" : enabled ? "code" : null;
  const form = useForm({
    initial: { password: "", code: "", newPassword: "" },
    schema: passwordChange,
    input: ({ newPassword, ...draft }) => ({ ...(by && { [by]: draft[by] }), newPassword }),
    guard: false,
    leaves: true,
    send: (body) => api("POST /v1/password", { body }),
    onSent: ({ endedSessions }) => {
      toast.success(hasPassword ? t("Password changed") : t("Password set"), {
        description:
          endedSessions === 0
            ? t("You were signed in nowhere else.")
            : t(
                "{endedSessions, plural, one {You were signed out in # other place.} other {You were signed out in # other places.}}",
                { endedSessions },
              ),
      });
      onClose();
    },
  });
  return (
    <DialogForm
      keepOpen
      title={hasPassword ? t("Change your password") : t("Set a password")}
      description={t(
        "You stay signed in here and are signed out everywhere else. Assistants have to be connected again. We tell you of it by email.",
      )}
      action={hasPassword ? t("Change the password") : t("Set the password")}
      form={form}
      onClose={onClose}
    >
      {by === "password" && (
        <Field label={t("Current password")} name="password" error={form.fault("password")}>
          <Input
            {...form.text("password")}
            type="password"
            autoComplete="current-password"
            autoFocus
          />
        </Field>
      )}
      {by === "code" && (
        <Field
          label={t("Code")}
          name="code"
          hint={t("From your authenticator app, or a recovery code.")}
          error={form.fault("code")}
        >
          <Input {...form.text("code")} autoComplete="one-time-code" autoFocus />
        </Field>
      )}
      <Field
        label={t("New password")}
        name="newPassword"
        hint={t("At least 10 characters. A sentence is easy to remember.")}
        error={form.fault("newPassword")}
      >
        <Input
          {...form.text("newPassword")}
          type={visible ? "text" : "password"}
          autoComplete="new-password"
          autoFocus={by === null}
        />
      </Field>
      <Checkbox label={t("Show the new password")} checked={visible} onChange={setVisible} />
    </DialogForm>
  );
}
