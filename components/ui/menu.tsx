"use client";

import { Menu as BaseMenu } from "@base-ui/react/menu";
import clsx from "clsx";
import { Check } from "lucide-react";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { t } from "@/lib/ground/texts/t";
import { Link } from "./link";
import { popupClass } from "./popup";

const itemClass =
  "flex w-full cursor-default items-center gap-2.5 rounded-sm px-2 py-1.5 text-left text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-faint";

/** A menu of actions behind `trigger` (a Button or IconButton). */
export function Menu({
  trigger,
  children,
  align = "end",
  side = "bottom",
  className,
}: {
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "right";
  className?: string;
}) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      {/* A landmark of its own: axe wants all content in one. */}
      <BaseMenu.Portal role="region" aria-label={t("Choices")}>
        <BaseMenu.Positioner align={align} side={side} sideOffset={6} className="z-50">
          <BaseMenu.Popup className={clsx(popupClass, "min-w-48 p-1", className)}>
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

export function MenuItem({
  danger = false,
  className,
  ...rest
}: ComponentProps<typeof BaseMenu.Item> & { danger?: boolean }) {
  return (
    <BaseMenu.Item
      {...rest}
      className={clsx(itemClass, danger && "text-danger [&_svg]:text-danger", className)}
    />
  );
}

export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <BaseMenu.LinkItem render={<Link href={href} />} closeOnClick className={itemClass}>
      {children}
    </BaseMenu.LinkItem>
  );
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className="eyebrow px-2 pt-1.5 pb-1">{label}</BaseMenu.GroupLabel>
      {children}
    </BaseMenu.Group>
  );
}

/** One of a few settings, in a menu. */
export function MenuChoice<Value extends string>({
  label,
  value,
  onChange,
  options,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
}) {
  return (
    <MenuGroup label={label}>
      <BaseMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
        {options.map((option) => (
          <BaseMenu.RadioItem key={option.value} value={option.value} className={itemClass}>
            {option.icon}
            <span className="flex-1">{option.label}</span>
            <BaseMenu.RadioItemIndicator>
              <Check aria-hidden />
            </BaseMenu.RadioItemIndicator>
          </BaseMenu.RadioItem>
        ))}
      </BaseMenu.RadioGroup>
    </MenuGroup>
  );
}

export function MenuSeparator() {
  return <BaseMenu.Separator className="-mx-1 my-1 border-t" />;
}
