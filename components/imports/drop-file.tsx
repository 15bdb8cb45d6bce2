"use client";

import clsx from "clsx";
import { FileUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { buttonClass } from "@/components/ui/button";

/** A place to drop a CSV on, or to choose one. */
export function DropFile({ onFile }: { onFile: (file: File) => void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (box: HTMLInputElement) => {
    const file = box.files?.[0];
    // The same file again, corrected, counts as a change.
    box.value = "";
    if (file) onFile(file);
  };
  // What was chosen before the page's scripts ran.
  useEffect(() => {
    if (input.current?.files?.length) take(input.current);
  });
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      }}
      className={clsx(
        "flex cursor-pointer flex-col items-center gap-3 rounded-lg border border-dashed px-4 py-12 text-center transition-colors focus-within:outline-2 focus-within:outline-accent",
        over ? "border-accent bg-accent-wash" : "border-rule-strong bg-sheet hover:bg-hover",
      )}
    >
      <FileUp className="size-8 text-accent-ink" strokeWidth={1.25} aria-hidden />
      <span className="display text-xl">Drop a CSV here</span>
      <span className="max-w-md text-sm text-soft">
        UTF-8, with commas, semicolons or tabs between the columns. The first line names the
        columns, and one of them holds the email address. Up to 2 GB.
      </span>
      <span className={buttonClass("primary")}>Choose a file</span>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        className="sr-only"
        aria-label="CSV file"
        onChange={({ target }) => take(target)}
      />
    </label>
  );
}
