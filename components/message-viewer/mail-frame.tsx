"use client";

import clsx from "clsx";
import { Monitor, Moon, Smartphone } from "lucide-react";
import { useMemo, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { frameDocument, pageNonce } from "./frame-document";

const never = () => () => {};

/** A mail's HTML as a mail client shows it, in a frame that can run nothing and reach nothing. */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const [narrow, setNarrow] = useState(false);
  const [dark, setDark] = useState(false);
  // The document is made with the browser's parser.
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const shown = useMemo(
    () => (inBrowser ? frameDocument(html, pageNonce(), dark) : null),
    [html, inBrowser, dark],
  );
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-xs text-faint">
          {shown?.remotePictures
            ? "Images from other servers are not loaded here, so that they cannot tell who is looking."
            : "Links are disabled here, and viewing does not count as an open."}
        </p>
        <div
          role="group"
          aria-label="View"
          className="flex gap-1 max-sm:[&>:not(:last-child)]:hidden"
        >
          <Width
            icon={Monitor}
            label="Desktop"
            chosen={!narrow}
            onChoose={() => setNarrow(false)}
          />
          <Width icon={Smartphone} label="Phone" chosen={narrow} onChoose={() => setNarrow(true)} />
          <Width icon={Moon} label="Dark" chosen={dark} onChoose={() => setDark(!dark)} />
        </div>
      </div>
      <div className="rounded-md border border-rule-strong bg-sunken">
        <iframe
          title={title}
          sandbox=""
          srcDoc={shown?.srcDoc ?? ""}
          referrerPolicy="no-referrer"
          className={clsx(
            "mx-auto block h-[36rem] w-full max-w-full rounded-md",
            dark ? "bg-[#121212] [color-scheme:dark]" : "bg-[#fff] [color-scheme:light]",
            narrow && "sm:w-[24.5rem]",
          )}
        />
      </div>
    </div>
  );
}

function Width({
  icon: Icon,
  label,
  chosen,
  onChoose,
}: {
  icon: typeof Monitor;
  label: string;
  chosen: boolean;
  onChoose: () => void;
}) {
  return (
    <Button
      size="sm"
      variant={chosen ? "secondary" : "ghost"}
      aria-pressed={chosen}
      onClick={onChoose}
    >
      <Icon aria-hidden /> {label}
    </Button>
  );
}
