"use client";

import { useId, type ReactNode } from "react";
import { Button } from "./button";
import { Callout } from "./callout";
import { Dialog } from "./dialog";
import { submitByKeys } from "./submit-by-keys";

/** A form in a dialog of its own; rendered while it is open. Faults of fields stand at the fields. */
export function DialogForm({
  title,
  description,
  action,
  cancel = "Cancel",
  onClose,
  onSubmit,
  pending,
  fault,
  children,
}: {
  title: string;
  description?: ReactNode;
  /** Label of the button that sends it. */
  action: string;
  cancel?: string;
  onClose: () => void;
  onSubmit: (given: FormData) => void;
  pending: boolean;
  /** What is wrong with the form as a whole. */
  fault: string | null;
  children: ReactNode;
}) {
  const form = useId();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" form={form} variant="primary" pending={pending}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (!pending) onSubmit(new FormData(event.currentTarget));
        }}
        onKeyDown={submitByKeys}
        className="flex flex-col gap-4"
        noValidate
      >
        {fault && (
          <Callout kind="danger" alert>
            {fault}
          </Callout>
        )}
        {children}
      </form>
    </Dialog>
  );
}
