"use client";

import clsx from "clsx";
import { t } from "@/lib/ground/texts/t";
import { SandboxedFrame } from "./sandboxed-frame";
import { ToggleButton } from "@/components/ui/toggle-button";
import { Monitor, Moon, Smartphone, Text } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { DarkChoice } from "./dark-choice";
import { frameDocument, pageNonce, type DarkWay } from "./frame-document";

/** Mails are laid out for 600 px, and have some room around them in a mail program on a desktop. */
const desktopWidth = 640;
/** From this window width on, both widths are offered: the design's `sm`. */
const offersWidths = "(min-width: 40rem)";

/** How far a desktop's width has to be scaled down to fit the element; 1: it fits. */
function useDesktopScale() {
  const frame = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? desktopWidth;
      const fits = width === 0 || !window.matchMedia(offersWidths).matches;
      setScale(fits ? 1 : Math.min(1, width / desktopWidth));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, scale };
}

/** A mail's HTML as a mail client shows it, in a frame that can run nothing and reach nothing. */
export function MailFrame({
  html,
  text,
  title,
  documentHref,
  received = false,
}: {
  html: string;
  /** Its plain-text part, which can then be viewed, too. */
  text?: string;
  title: string;
  /** Where the same mail is shown with pictures from other servers. */
  documentHref?: string;
  /** Others sent it: it has no opens that could be counted. */
  received?: boolean;
}) {
  const [loading, setLoading] = useState(false);
  const [plain, setPlain] = useState(false);
  const [narrow, setNarrow] = useState(false);
  const [dark, setDark] = useState<DarkWay | null>(null);
  const { frame, scale } = useDesktopScale();
  const isInverted = dark === "inverted";
  // Only the document that is made here can be inverted.
  const fromServer = loading && !isInverted;
  const shrunk = !narrow && scale < 1;
  // The document is made with the browser's parser.
  const inBrowser = useInBrowser();
  const shown = useMemo(
    () => (inBrowser ? frameDocument(html, pageNonce(), dark) : null),
    [html, inBrowser, dark],
  );
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-xs text-faint">
          {fromServer
            ? t("Images are loaded from other servers.")
            : isInverted && documentHref && shown?.remotePictures
              ? t("The inverted view shows no images from other servers.")
              : shown?.remotePictures
                ? t(
                    "Images from other servers are not loaded here, so that they cannot tell who is looking.",
                  )
                : received
                  ? t("Links are disabled here.")
                  : t("Links are disabled here, and viewing does not count as an open.")}
          {documentHref && shown?.remotePictures && !loading && !isInverted && (
            <Button size="sm" variant="ghost" onClick={() => setLoading(true)}>
              {t("Load images")}
            </Button>
          )}
        </p>
        <div
          role="group"
          aria-label={t("View")}
          className="flex gap-1 max-sm:[&>:not(:last-child)]:hidden"
        >
          <ToggleButton
            icon={Monitor}
            label={t("Desktop")}
            chosen={!narrow}
            onChoose={() => setNarrow(false)}
          />
          <ToggleButton
            icon={Smartphone}
            label={t("Phone")}
            chosen={narrow}
            onChoose={() => setNarrow(true)}
          />
          <ToggleButton
            icon={Moon}
            label={t("Dark")}
            chosen={dark !== null}
            onChoose={() => setDark(dark ? null : "own")}
          />
        </div>
        {text !== undefined && (
          <ToggleButton
            icon={Text}
            label={t("Plain text")}
            chosen={plain}
            onChoose={() => setPlain(!plain)}
          />
        )}
      </div>
      {dark && !plain && <DarkChoice way={dark} onChoose={setDark} />}
      {plain && text !== undefined && (
        <pre
          tabIndex={0}
          aria-label={t("Plain text")}
          className="mb-2 h-[36rem] overflow-auto rounded-md border border-rule-strong bg-sheet px-4 py-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
        >
          {text.trim() || t("(empty)")}
        </pre>
      )}
      <div
        ref={frame}
        className={clsx(
          "h-[36rem] overflow-hidden rounded-md border border-rule-strong bg-sunken",
          plain && "hidden",
        )}
      >
        <SandboxedFrame
          title={title}
          {...(fromServer ? { src: documentHref } : { srcDoc: shown?.srcDoc ?? "" })}
          dark={dark}
          style={
            shrunk
              ? { width: desktopWidth, height: `${100 / scale}%`, transform: `scale(${scale})` }
              : undefined
          }
          className={clsx(
            "h-full w-full rounded-md",
            shrunk ? "origin-top-left" : "max-w-full",
            narrow && "sm:w-[24.5rem]",
          )}
        />
      </div>
    </div>
  );
}
