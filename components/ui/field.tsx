"use client";

import { Field as BaseField } from "@base-ui/react/field";
import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { t } from "@/lib/ground/texts/t";
import { controlClass } from "./control-class";

/** Label, control, hint and error of one field. The control inside is named and described by it. */
export function Field({
  label,
  hint,
  error,
  name,
  optional = false,
  labelHidden = false,
  action,
  className,
  children,
}: {
  label: string;
  /** Only read out: for where the context already says it. */
  labelHidden?: boolean;
  hint?: ReactNode;
  /** The sentence to show; its presence marks the control as invalid. */
  error?: string | null;
  name?: string;
  optional?: boolean;
  /** A button for what the field holds, at the end of the label's line. */
  action?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const named = (
    <BaseField.Label
      className={clsx(
        "flex items-baseline justify-between text-sm font-medium text-ink",
        action && "grow",
        labelHidden && "sr-only",
      )}
    >
      {label}
      {optional && <span className="text-xs font-normal text-faint">{t("optional")}</span>}
    </BaseField.Label>
  );
  return (
    <BaseField.Root
      {...(name === undefined ? {} : { name })}
      invalid={Boolean(error)}
      className={clsx("flex flex-col gap-1.5", className)}
    >
      {action ? (
        // Not within the label, which would press it.
        <div className="flex items-center gap-3">
          {named}
          {action}
        </div>
      ) : (
        named
      )}
      {children}
      {error ? (
        <BaseField.Error match className="text-sm text-danger">
          {error}
        </BaseField.Error>
      ) : (
        hint && <BaseField.Description className="text-xs text-faint">{hint}</BaseField.Description>
      )}
    </BaseField.Root>
  );
}

/** A text input, to stand in a Field. */
export function Input({ className, ...rest }: ComponentProps<typeof BaseField.Control>) {
  return <BaseField.Control {...rest} className={clsx(controlClass, "h-10", className)} />;
}

/** A text area, to stand in a Field. */
export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <BaseField.Control
      render={<textarea {...rest} className={clsx(controlClass, "min-h-24 py-2", className)} />}
    />
  );
}
