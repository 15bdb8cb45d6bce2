"use client";

import clsx from "clsx";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { buttonClass } from "@/components/ui/button";
import { FileInput } from "@/components/ui/file-input";
import { t } from "@/lib/ground/texts/t";

/** A place to drop a CSV on, or to choose one. */
export function DropFile({ onFile }: { onFile: (file: File) => void }) {
  const [over, setOver] = useState(false);
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
      <span className="display text-xl">{t("Drop a CSV here")}</span>
      <span className="max-w-md text-sm text-soft">
        {t(
          "With commas, semicolons or tabs between the columns. The first line names the columns, and one of them holds the email address. Up to 2 GB.",
        )}
      </span>
      <span className={buttonClass("primary")}>{t("Choose a file")}</span>
      <FileInput
        accept=".csv,text/csv"
        label={t("CSV file")}
        onFiles={([file]) => file && onFile(file)}
      />
    </label>
  );
}
