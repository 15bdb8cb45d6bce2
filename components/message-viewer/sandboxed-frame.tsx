import clsx from "clsx";
import type { ComponentProps } from "react";

/** A document that can run nothing and reach nothing, on its reader's light or dark background. */
export function SandboxedFrame({
  dark,
  className,
  ...frame
}: Pick<ComponentProps<"iframe">, "src" | "srcDoc" | "style" | "className"> & {
  title: string;
  dark: boolean;
}) {
  return (
    <iframe
      {...frame}
      sandbox=""
      referrerPolicy="no-referrer"
      className={clsx(
        "mx-auto block",
        dark ? "bg-[#121212] [color-scheme:dark]" : "bg-[#fff] [color-scheme:light]",
        className,
      )}
    />
  );
}
