"use client";

import { Toast as BaseToast } from "@base-ui/react/toast";
import clsx from "clsx";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { t } from "@/lib/ground/texts/t";
import { buttonClass } from "./button";

const manager = BaseToast.createToastManager();

interface ToastOptions {
  description?: string;
  /** Offered as a button, usually to undo. */
  action?: { label: string; run: () => void };
}

function add(type: "success" | "error", title: string, options: ToastOptions): void {
  const { description, action } = options;
  // Pressed once: what it would do a second time is about another state of things.
  const press = () => {
    manager.close(id);
    action?.run();
  };
  const id = manager.add({
    title,
    type,
    // "high" hides the toast itself from screen readers, its buttons too, and reads out a copy.
    priority: "low",
    // A button has to be found and reached, with the keyboard or a screen reader, too.
    timeout: action ? 20_000 : type === "error" ? 10_000 : 5_000,
    ...(description === undefined ? {} : { description }),
    ...(action ? { actionProps: { children: action.label, onClick: press } } : {}),
  });
}

/** Confirms, or says what failed, from anywhere in the browser. */
export const toast = {
  success: (title: string, options: ToastOptions = {}) => add("success", title, options),
  error: (title: string, options: ToastOptions = {}) => add("error", title, options),
};

function ToastList() {
  const { toasts } = BaseToast.useToastManager();
  return toasts.map((item) => (
    <BaseToast.Root
      key={item.id}
      toast={item}
      swipeDirection={["right", "down"]}
      className={clsx(
        "pointer-events-auto w-full rounded-lg border border-rule-strong border-l-4 bg-sheet shadow-pop transition-[opacity,transform] duration-150 data-ending-style:translate-y-2 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-2 data-starting-style:opacity-0",
        item.type === "error" ? "border-l-danger" : "border-l-success",
      )}
    >
      <BaseToast.Content className="flex items-start gap-3 p-3.5">
        {item.type === "error" ? (
          <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden />
        ) : (
          <CircleCheck className="mt-0.5 size-4 shrink-0 text-success" aria-hidden />
        )}
        <div className="min-w-0 flex-1 text-sm">
          <BaseToast.Title className="font-medium" />
          <BaseToast.Description className="text-soft wrap-anywhere" />
          {item.actionProps && (
            <BaseToast.Action className={clsx(buttonClass("secondary", "sm"), "mt-2")} />
          )}
        </div>
        {/* By default hidden from screen readers until it has the focus, although Tab goes to it. */}
        <BaseToast.Close
          aria-label={t("Dismiss")}
          aria-hidden={false}
          className="text-faint hover:text-ink"
        >
          <X className="size-4" aria-hidden />
        </BaseToast.Close>
      </BaseToast.Content>
    </BaseToast.Root>
  ));
}

/** Where toasts appear; rendered once, in the root layout. */
export function Toaster() {
  return (
    <BaseToast.Provider toastManager={manager} limit={3}>
      <BaseToast.Portal>
        <BaseToast.Viewport className="pointer-events-none fixed right-4 bottom-4 z-70 flex w-[calc(100vw-2rem)] flex-col gap-2 sm:w-96">
          <ToastList />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  );
}
