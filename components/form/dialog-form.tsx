"use client";

import { useId, type ReactNode } from "react";
import { FormFault } from "./form-fault";
import type { FormHandle } from "./use-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { t } from "@/lib/ground/texts/t";

/** A form in a dialog of its own; rendered while open. Faults in fields are shown at the fields. */
export function DialogForm({
  title,
  description,
  action,
  cancel = t("Cancel"),
  danger = false,
  keepOpen = false,
  onClose,
  form,
  children,
}: {
  title: string;
  description?: ReactNode;
  /** Label of the button that sends it. */
  action: string;
  cancel?: string;
  /** What it does cannot be undone, or makes something less safe. */
  danger?: boolean;
  /** What it shows is not shown again: a press outside never closes it. */
  keepOpen?: boolean;
  onClose: () => void;
  form: FormHandle;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Dialog
      open
      // It is easy to press outside the dialog by mistake.
      keepOnOutsidePress={keepOpen || form.dirty}
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            type="submit"
            form={id}
            variant={danger ? "danger" : "primary"}
            pending={form.pending}
          >
            {action}
          </Button>
        </>
      }
    >
      <form id={id} {...form.props} className="flex flex-col gap-4">
        <FormFault of={form} />
        {children}
      </form>
    </Dialog>
  );
}
