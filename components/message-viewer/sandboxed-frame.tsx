import clsx from "clsx";
import type { ComponentProps } from "react";
import type { DarkWay } from "./frame-document";

const backgrounds = {
  light: "bg-[#fff] [color-scheme:light]",
  own: "bg-[#121212] [color-scheme:dark]",
  // A program that inverts does not tell the mail of the dark mode.
  inverted: "bg-[#121212] [color-scheme:light]",
};

/** A document that can run nothing and reach nothing, on its reader's light or dark background. */
export function SandboxedFrame({
  dark,
  className,
  ...frame
}: Pick<ComponentProps<"iframe">, "src" | "srcDoc" | "style" | "className" | "onLoad"> & {
  title: string;
  dark: DarkWay | null;
}) {
  return (
    <iframe
      {...frame}
      sandbox=""
      referrerPolicy="no-referrer"
      className={clsx("mx-auto block", backgrounds[dark ?? "light"], className)}
    />
  );
}
