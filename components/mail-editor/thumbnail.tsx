"use client";

import { useMemo, useSyncExternalStore } from "react";
import { frameDocument, pageNonce } from "@/components/message-viewer/frame-document";
import { renderDesign } from "@/lib/mail/design/render";
import type { EmailDesign } from "@/lib/mail/design/schema";

const never = () => () => undefined;

/** As somebody we know nothing about would read it. */
const withFallbacks = (html: string) =>
  html
    .replace(/\{\{ \S{1,60} \| default: '([^'{}]{0,60})' \}\}/g, "$1")
    .replace(/\{\{ \S{1,60} \}\}/g, "…")
    .replace(/\{% [^%]{1,200} %\}/g, "");

/** A design as small as a stamp. */
export function Thumbnail({ design }: { design: EmailDesign }) {
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const srcDoc = useMemo(
    () => (inBrowser ? frameDocument(withFallbacks(renderDesign(design)), pageNonce()).srcDoc : ""),
    [inBrowser, design],
  );
  return (
    <span className="block aspect-4/3 overflow-hidden rounded-t-md border-b bg-[#fff]" aria-hidden>
      <iframe
        title="Thumbnail"
        sandbox=""
        tabIndex={-1}
        srcDoc={srcDoc}
        loading="lazy"
        className="pointer-events-none h-[400%] w-[400%] origin-top-left scale-25 [color-scheme:light]"
      />
    </span>
  );
}
