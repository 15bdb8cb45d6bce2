"use client";

import { useId, type ReactNode } from "react";
import type { FormHandle } from "./use-form";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";

/** A form in a dialog of its own; rendered while it is open. Faults of fields stand at the fields. */
export function DialogForm({
  title,
  description,
  action,
  cancel = "Cancel",
  onClose,
  form,
  children,
}: {
  title: string;
  description?: ReactNode;
  /** Label of the button that sends it. */
  action: string;
  cancel?: string;
  onClose: () => void;
  form: FormHandle;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Dialog
      open
      // A press beside the dialog is easily made by mistake.
      keepOnOutsidePress={form.dirty}
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" form={id} variant="primary" pending={form.pending}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} {...form.props} className="flex flex-col gap-4">
        {form.whole && (
          <Callout kind="danger" alert>
            {form.whole}
          </Callout>
        )}
        {children}
      </form>
    </Dialog>
  );
}
