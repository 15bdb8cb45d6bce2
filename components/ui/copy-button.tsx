"use client";

import clsx from "clsx";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { t } from "@/lib/ground/texts/t";
import { buttonClass, IconButton, type ButtonSize, type ButtonVariant } from "./button";
import { toast } from "./toast";

function useCopied(text: string): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_800);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    // Undefined on plain http away from localhost.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) {
      toast.error(t("Copying needs https"), {
        description: t("Select the text and copy it instead."),
      });
      return;
    }
    clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast.error(t("The browser refused to copy")),
    );
  };
  return { copied, copy };
}

/** Copies `text`; `what` names it for screen readers: `DKIM value`. */
export function CopyButton({
  text,
  what,
  className,
}: {
  text: string;
  what: string;
  className?: string;
}) {
  const { copied, copy } = useCopied(text);
  return (
    <>
      <IconButton
        size="sm"
        label={t("Copy {what}", { what })}
        onClick={copy}
        className={clsx("relative", className)}
      >
        {copied ? <Check className="text-success" aria-hidden /> : <Copy aria-hidden />}
      </IconButton>
      <span role="status" className="sr-only">
        {copied ? t("{what} copied", { what }) : ""}
      </span>
    </>
  );
}

/** The same with a label. */
export function CopyTextButton({
  text,
  label,
  variant = "secondary",
  size = "md",
}: {
  text: string;
  label: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
}) {
  const { copied, copy } = useCopied(text);
  return (
    <button type="button" onClick={copy} className={buttonClass(variant, size)}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{copied ? t("Copied") : label}</span>
    </button>
  );
}

/** An id or address in monospace with its copy button. */
export function CopyableCode({ text, what }: { text: string; what: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="truncate font-mono text-xs">{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
