import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "./link";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const base =
  "inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap select-none transition-[background-color,border-color,color,transform] active:translate-y-px aria-disabled:opacity-55 aria-disabled:active:translate-y-0 disabled:opacity-55 disabled:active:translate-y-0 [&_svg]:size-4 [&_svg]:shrink-0";

const variants: Record<ButtonVariant, string> = {
  primary:
    "border-accent bg-accent text-on-accent shadow-press hover:border-accent-strong hover:bg-accent-strong",
  secondary:
    "border-control bg-sheet text-ink shadow-press hover:border-ink hover:bg-hover data-popup-open:bg-hover",
  ghost: "border-transparent text-soft hover:bg-hover hover:text-ink data-popup-open:bg-hover",
  danger: "border-danger-fill bg-danger-fill text-on-danger shadow-press hover:opacity-90",
};

const sizes: Record<ButtonSize, string> = {
  sm: "h-8 px-2.5 text-sm",
  md: "h-9 px-3.5 text-sm",
  lg: "h-11 px-5 text-base",
};

export function buttonClass(variant: ButtonVariant = "secondary", size: ButtonSize = "md"): string {
  return clsx(base, variants[variant], sizes[size]);
}

interface Look {
  variant?: ButtonVariant;
  size?: ButtonSize;
}

/** Three dots, one after the other: something is under way. */
export const BusyDots = () =>
  [0, 150, 300].map((delay) => (
    <span
      key={delay}
      className="size-1.5 animate-pulse rounded-full bg-current"
      style={{ animationDelay: `${delay}ms` }}
    />
  ));

/**
 * A button; while `pending` it keeps its width, says so to screen readers and does not submit again. One
 * that has the property at all has an effect: the second press of a double-click is ignored.
 */
export function Button({
  variant,
  size,
  pending: maybePending,
  className,
  children,
  disabled,
  type = "button",
  onClick,
  ...rest
}: ComponentProps<"button"> & Look & { pending?: boolean }) {
  const pending = maybePending === true;
  const once: typeof onClick = (event) => {
    if (event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };
  const handler = maybePending === undefined ? onClick : once;
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || pending}
      // A server component cannot hand a function on, not even one that does nothing.
      {...(handler ? { onClick: handler } : {})}
      aria-busy={pending || undefined}
      className={clsx(buttonClass(variant, size), pending && "relative", className)}
    >
      {pending ? (
        <>
          <span className="invisible inline-flex items-center gap-2">{children}</span>
          <span className="absolute inset-0 flex items-center justify-center gap-1" aria-hidden>
            <BusyDots />
          </span>
        </>
      ) : (
        children
      )}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return <Link {...rest} className={clsx(buttonClass(variant, size), className)} />;
}

/** A square button with an icon; `label` is its name for screen readers and its tooltip. */
export function IconButton({
  label,
  size = "md",
  variant = "ghost",
  className,
  children,
  type = "button",
  ...rest
}: Omit<ComponentProps<"button">, "aria-label"> & Look & { label: string; children: ReactNode }) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={clsx(
        base,
        variants[variant],
        size === "sm" ? "size-8" : size === "lg" ? "size-11" : "size-9",
        className,
      )}
    >
      {children}
    </button>
  );
}
