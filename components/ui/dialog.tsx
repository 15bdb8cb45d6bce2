"use client";

import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import clsx from "clsx";
import { X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { t } from "@/lib/ground/texts/t";
import { Button, IconButton } from "./button";
import { unlessCovered, useLayerAbove } from "./layer";

const backdropClass =
  "fixed inset-0 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0";

/** Without those that stand behind a control of ours. */
const fields =
  ":is(input, textarea, select, [role=combobox], [role=checkbox], [role=switch])" +
  ':not(:disabled, [aria-hidden=true], [tabindex="-1"], [type=hidden], [type=file])';

/** A modal sheet, with the focus in its first field. `footer` holds its buttons; the caller decides when it is open. */
export function Dialog({
  open,
  onOpenChange,
  keepOnOutsidePress = false,
  above = false,
  ...sheet
}: SheetParts & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** A press outside does not close it. */
  keepOnOutsidePress?: boolean;
  /** It interrupts whatever else is open, another dialog too. */
  above?: boolean;
}) {
  useLayerAbove(open && above);
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={above ? onOpenChange : unlessCovered(onOpenChange)}
      disablePointerDismissal={keepOnOutsidePress}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={clsx(backdropClass, above ? "z-60" : "z-40")} />
        <BaseDialog.Viewport
          className={clsx(
            "fixed inset-0 flex items-start justify-center overflow-y-auto sm:p-6 sm:pt-[12vh]",
            above ? "z-60" : "z-40",
          )}
        >
          <Sheet {...sheet} />
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

interface SheetParts {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
  /** Tells where the focus goes afterwards; true: where it usually does. */
  finalFocus?: () => HTMLElement | true;
}

/** Is there only while it is open. */
function Sheet({ title, description, children, footer, wide = false, finalFocus }: SheetParts) {
  const popup = useRef<HTMLDivElement>(null);
  // Before a field with `autoFocus` has taken the focus, which the library then takes for where it came from.
  const [opener] = useState(() => document.activeElement);
  const giveBack = (): HTMLElement | true => {
    const now = document.activeElement;
    const isElsewhere = now !== document.body && !popup.current?.contains(now);
    const target = isElsewhere ? now : opener;
    return target instanceof HTMLElement && target.isConnected ? target : true;
  };
  return (
    <BaseDialog.Popup
      ref={popup}
      // Touched, it would bring up the phone's keyboard over the sheet.
      initialFocus={(opened) =>
        opened === "touch"
          ? popup.current
          : (popup.current?.querySelector<HTMLElement>(fields) ?? null)
      }
      finalFocus={finalFocus ?? giveBack}
      className={clsx(
        "relative mt-auto w-full rounded-t-lg border border-rule-strong bg-sheet shadow-sheet transition-[opacity,transform] duration-150 outline-none data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 sm:mt-0 sm:rounded-lg",
        wide ? "sm:max-w-2xl" : "sm:max-w-lg",
      )}
    >
      <div className="flex items-start justify-between gap-4 px-5 pt-5">
        <div className="min-w-0 wrap-anywhere">
          <BaseDialog.Title className="display text-xl">{title}</BaseDialog.Title>
          {description && (
            <BaseDialog.Description render={<div />} className="mt-1 text-sm text-pretty text-soft">
              {description}
            </BaseDialog.Description>
          )}
        </div>
        <BaseDialog.Close
          render={
            <IconButton label={t("Close")} size="sm" className="-mt-1 -mr-2 shrink-0">
              <X aria-hidden />
            </IconButton>
          }
        />
      </div>
      {children && <div className="px-5 pt-4">{children}</div>}
      {footer ? (
        <div className="mt-5 flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3.5">
          {footer}
        </div>
      ) : (
        <div className="h-5" />
      )}
    </BaseDialog.Popup>
  );
}

/** Asks before something that cannot be undone, or that needs care. `children` say what is lost. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  action,
  dismiss = t("Cancel"),
  variant = "danger",
  onConfirm,
  pending = false,
  error,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Names the thing: `Revoke “Production”?` */
  title: string;
  /** Label of the button that does it: `Revoke key`. */
  action: string;
  /** Label of the other one, where cancelling is what the first one does. */
  dismiss?: string;
  /** Of that button; `primary` where nothing is lost. */
  variant?: "danger" | "primary";
  onConfirm: () => void;
  pending?: boolean;
  error?: string | null;
  children: ReactNode;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={children}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{dismiss}</Button>
          <Button variant={variant} pending={pending} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </Dialog>
  );
}

/** A panel from the left edge, for navigation on phones. */
export function SidePanel({
  open,
  onOpenChange,
  title,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}) {
  return (
    <BaseDialog.Root open={open} onOpenChange={unlessCovered(onOpenChange)}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={clsx(backdropClass, "z-40")} />
        <BaseDialog.Popup className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col overflow-y-auto border-r border-rule-strong bg-paper shadow-sheet transition-transform duration-150 outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <BaseDialog.Title className="sr-only">{title}</BaseDialog.Title>
          <BaseDialog.Close
            render={
              <IconButton label={t("Close")} className="absolute top-3 right-3">
                <X aria-hidden />
              </IconButton>
            }
          />
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
