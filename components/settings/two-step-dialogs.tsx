"use client";

import { useState } from "react";
import { encode } from "uqr";
import { z } from "zod";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm, type Form } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { CopyTextButton } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import {
  proof,
  typedCode,
  type Proof,
  type RecoveryCodes,
  type SecondFactorSetup,
} from "@/lib/domain/users/schema";
import { toast } from "@/components/ui/toast";
import { t } from "@/lib/ground/texts/t";

/** A text as a QR code: black on white in both themes, because cameras need that. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 3 });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="size-48 shrink-0 self-center rounded-md border border-rule-strong"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

const codeInput = z.object({ code: typedCode });

/** Shows the secret for an authenticator app, and asks for its first code to prove that it works. */
export function ConnectApp({
  setup,
  onConfirmed,
  onClose,
}: {
  setup: SecondFactorSetup;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}) {
  const api = useApi();
  const form = useForm({
    initial: { code: "" },
    schema: codeInput,
    guard: false,
    leaves: true,
    send: (body) => api("POST /v1/second-factor/confirm", { body }),
    onSent: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  });
  return (
    <DialogForm
      keepOpen
      title={t("Connect your authenticator app")}
      description={t(
        "Scan this with the app, for example the one that keeps your passwords, then type the code it shows.",
      )}
      action={t("Switch on")}
      form={form}
      onClose={onClose}
    >
      <QrCode text={setup.uri} label={t("QR code for the authenticator app")} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <span className="text-soft">{t("Or type in:")}</span>
        <code className="min-w-0 flex-1 font-mono text-xs wrap-anywhere">{setup.secret}</code>
        <CopyTextButton text={setup.secret} label={t("Copy")} size="sm" />
      </div>
      <Field label={t("Code")} name="code" error={form.fault("code")}>
        <Input
          {...form.text("code")}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={20}
        />
      </Field>
    </DialogForm>
  );
}

type ProofKind = "password" | "code";

/** Asks for the password or a code, whichever the person has and prefers. */
export function ProofField({
  form,
  by,
  onChange,
  hasPassword,
  hasApp = true,
  autoFocus = false,
}: {
  form: Pick<Form<{ code: string; password: string }>, "fault" | "text">;
  by: ProofKind;
  onChange: (by: ProofKind) => void;
  hasPassword: boolean;
  hasApp?: boolean;
  autoFocus?: boolean;
}) {
  return (
    <>
      <Field
        label={by === "code" ? t("Code") : t("Password")}
        name={by}
        hint={by === "code" ? t("From your authenticator app, or a recovery code.") : undefined}
        error={form.fault(by)}
      >
        <Input
          {...form.text(by)}
          type={by === "code" ? "text" : "password"}
          autoComplete={by === "code" ? "one-time-code" : "current-password"}
          autoFocus={autoFocus}
        />
      </Field>
      {hasPassword && hasApp && (
        <Button
          variant="ghost"
          size="sm"
          className="self-start"
          onClick={() => onChange(by === "code" ? "password" : "code")}
        >
          {by === "code" ? t("Use your password instead") : t("Use a code instead")}
        </Button>
      )}
    </>
  );
}

/** Does something once a password, an app code or a recovery code has shown who is asking. */
function ProofDialog<Answer extends RecoveryCodes | undefined>({
  hasPassword,
  send,
  onSent,
  ...dialog
}: {
  title: string;
  description: string;
  action: string;
  danger?: boolean;
  hasPassword: boolean;
  send: (input: Proof) => Promise<Answer>;
  onSent: (answer: Answer) => void;
  onClose: () => void;
}) {
  const [by, setBy] = useState<ProofKind>("code");
  const form = useForm({
    initial: { code: "", password: "" },
    schema: proof,
    input: (draft) => ({ [by]: draft[by] }),
    guard: false,
    leaves: true,
    send,
    onSent,
  });
  return (
    <DialogForm {...dialog} keepOpen form={form}>
      <ProofField form={form} by={by} onChange={setBy} hasPassword={hasPassword} autoFocus />
    </DialogForm>
  );
}

/** New recovery codes in place of those there are. */
export function RenewCodes({
  hasPassword,
  onRenewed,
  onClose,
}: {
  hasPassword: boolean;
  onRenewed: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}) {
  const api = useApi();
  return (
    <ProofDialog
      title={t("Make new recovery codes?")}
      description={t("Your current codes stop working.")}
      action={t("Make new codes")}
      hasPassword={hasPassword}
      send={(body) => api("POST /v1/second-factor/recovery-codes", { body })}
      onSent={({ recoveryCodes }) => onRenewed(recoveryCodes)}
      onClose={onClose}
    />
  );
}

export function SwitchOff({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const api = useApi();
  return (
    <ProofDialog
      title={t("Switch two-step sign-in off?")}
      description={t("After that, your password or an emailed link is enough to sign in as you.")}
      action={t("Switch off")}
      danger
      hasPassword={hasPassword}
      send={(body) => api("POST /v1/second-factor/disable", { body })}
      onSent={() => {
        toast.success(t("Two-step sign-in is off"));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
