"use client";

import clsx from "clsx";
import { useEffect, useState } from "react";
import { frameDocument, pageNonce } from "@/components/message-viewer/frame-document";
import { inTurn } from "@/components/ui/turns";

/** As somebody we know nothing about would read it. */
const withFallbacks = (html: string) =>
  html
    .replace(/\{\{ \S{1,60} \| default: '([^'{}]{0,60})' \}\}/g, "$1")
    .replace(/\{\{ \S{1,60} \}\}/g, "…")
    .replace(/\{% [^%]{1,200} %\}/g, "");

const sizes = {
  /** A stamp, only to be recognised. */
  stamp: "pointer-events-none h-[400%] w-[400%] scale-25",
  /** To be read and scrolled. */
  half: "h-[200%] w-[200%] scale-50",
};

/** The frame's document, once it is made: reading the HTML and making a frame take a phone long, each by itself. */
function useFrameDocument(html: string): string | null {
  const [srcDoc, setSrcDoc] = useState<string | null>(null);
  useEffect(() => {
    let cancel = inTurn(() => {
      const made = frameDocument(withFallbacks(html), pageNonce()).srcDoc;
      cancel = inTurn(() => setSrcDoc(made));
    });
    return () => cancel();
  }, [html]);
  return srcDoc;
}

/** An email's HTML, smaller than it is. */
export function HtmlThumbnail({
  html,
  title,
  size,
  className,
}: {
  html: string;
  title: string;
  size: keyof typeof sizes;
  className: string;
}) {
  const srcDoc = useFrameDocument(html);
  const isStamp = size === "stamp";
  return (
    <span
      className={clsx("block overflow-hidden bg-[#fff]", className)}
      aria-hidden={isStamp || undefined}
    >
      {srcDoc !== null && (
        <iframe
          title={title}
          sandbox=""
          tabIndex={isStamp ? -1 : 0}
          srcDoc={srcDoc}
          loading="lazy"
          className={clsx("origin-top-left [color-scheme:light]", sizes[size])}
        />
      )}
    </span>
  );
}
