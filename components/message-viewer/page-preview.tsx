"use client";

import clsx from "clsx";
import { Monitor, Moon, Smartphone } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { Callout } from "@/components/ui/callout";
import { ToggleButton } from "@/components/ui/toggle-button";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { t } from "@/lib/ground/texts/t";
import { frameDocument, pageNonce } from "./frame-document";
import { SteadyFrame } from "./steady-frame";
import { unchecked } from "./use-page-preview";

/** A page or mail that is being written, as others will see it: wide and narrow, light and dark. */
export function PagePreview({
  title,
  html,
  error,
  busy,
  dark,
  onDark,
  children,
}: {
  /** Of the frame. */
  title: string;
  html: string;
  /** Why it is not what is written now; null: it is. */
  error: unknown;
  busy: boolean;
  dark: boolean;
  /** Absent: what is shown is one of both by itself. */
  onDark: ((dark: boolean) => void) | null;
  /** What chooses among several, beside the widths. */
  children?: ReactNode;
}) {
  const [narrow, setNarrow] = useState(false);
  const inBrowser = useInBrowser();
  const way = dark ? "own" : null;
  const document = useMemo(
    () => (inBrowser && html ? frameDocument(html, pageNonce(), way).srcDoc : ""),
    [html, inBrowser, way],
  );
  return (
    <section aria-label={t("Preview")} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <div role="group" aria-label={t("View")} className="flex gap-1">
          <span className="flex gap-1 max-sm:hidden">
            <ToggleButton
              icon={Monitor}
              label={t("Wide")}
              chosen={!narrow}
              onChoose={() => setNarrow(false)}
            />
            <ToggleButton
              icon={Smartphone}
              label={t("Phone")}
              chosen={narrow}
              onChoose={() => setNarrow(true)}
            />
          </span>
          {onDark && (
            <ToggleButton
              icon={Moon}
              label={t("Dark")}
              chosen={dark}
              onChoose={() => onDark(!dark)}
            />
          )}
        </div>
      </div>
      {error ? (
        <Callout kind="warning" title={t("The preview shows the last version that worked")}>
          {error === unchecked
            ? t("A field is empty or not valid. Correct it to see what it changes.")
            : messageOf(error)}
        </Callout>
      ) : null}
      <div
        aria-busy={busy}
        className="h-[40rem] overflow-hidden rounded-md border border-rule-strong bg-sunken"
      >
        <SteadyFrame
          title={title}
          srcDoc={document}
          dark={way}
          className={clsx("size-full", narrow && "max-w-[24.5rem]")}
        />
      </div>
    </section>
  );
}
