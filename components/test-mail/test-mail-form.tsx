"use client";

import type { ReactNode } from "react";
import { CaptureNote } from "@/components/captured/nothing-leaves";
import { DialogForm } from "@/components/form/dialog-form";
import type { FormHandle } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { t } from "@/lib/ground/texts/t";

/** The addresses that somebody typed in one line. */
export const addressesIn = (typed: string) => typed.split(/[\s,;]+/).filter(Boolean);

/** Says who gets the test. */
export const tellTestSent = (addresses: readonly string[]) =>
  toast.success(
    t(
      "{count, plural, one {The test email is on its way} other {# test emails are on their way}}",
      { count: addresses.length },
    ),
    { description: addresses.join(", ") },
  );

/** Asks for the addresses that a test of a mail goes to; `children`: what else is asked. */
export function TestMailForm({
  form,
  to,
  fault,
  hint,
  description,
  onClose,
  children,
}: {
  form: FormHandle;
  /** Value and handler of the addresses. */
  to: { value: string; onChange: (event: { target: { value: string } }) => void };
  fault: string | null;
  hint: string;
  description: string;
  onClose: () => void;
  children?: ReactNode;
}) {
  return (
    <DialogForm
      title={t("Send a test")}
      description={description}
      action={t("Send test")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("To")} name="to" hint={hint} error={fault}>
        <Input {...to} autoComplete="off" inputMode="email" autoFocus />
      </Field>
      {children}
      <CaptureNote />
    </DialogForm>
  );
}
