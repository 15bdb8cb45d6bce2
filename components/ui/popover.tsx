"use client";

import { Popover as BasePopover } from "@base-ui/react/popover";
import clsx from "clsx";
import type { ReactElement, ReactNode } from "react";
import { popupClass } from "./popup";

/** A small panel behind `trigger`, for a filter or an explanation. */
export function Popover({
  trigger,
  title,
  children,
  align = "start",
  open,
  onOpenChange,
}: {
  trigger: ReactElement;
  title?: string;
  children: ReactNode;
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}) {
  return (
    <BasePopover.Root
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner align={align} sideOffset={6} className="z-50">
          <BasePopover.Popup className={clsx(popupClass, "w-80 p-4 text-sm")}>
            {title && (
              <BasePopover.Title className="display mb-2 text-lg">{title}</BasePopover.Title>
            )}
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
