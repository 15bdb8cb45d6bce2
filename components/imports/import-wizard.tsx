"use client";

import { FileText, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useUpload } from "@/components/api/use-upload";
import { useInvalidateChanged } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { useUnsaved } from "@/components/form/use-unsaved";
import { formatBytes } from "@/components/ui/numbers";
import { BusyDots, Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Section } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { Checkbox } from "@/components/ui/checkbox";
import { ApiError } from "@/lib/doors/http/client";
import { holdsUnsubscribed } from "@/lib/domain/imports/other-exports-schema";
import type { ImportAccepted } from "@/lib/domain/imports/schema";
import { t } from "@/lib/ground/texts/t";
import { previewBytes, previewCsv, type CsvPreview } from "./csv-preview";
import { DropFile } from "./drop-file";
import { readTextFile } from "./encoding";
import { ImportExtras, type Extras } from "./import-extras";
import { MapColumns } from "./map-columns";
import { columnsQuery, guessColumns, mappingFaults, type ColumnChoice } from "./mapping";

interface Chosen {
  file: File;
  preview: CsvPreview;
  /** It was not UTF-8, and taken for Windows-1252. */
  converted: boolean;
}

/** From a file to a running import: choose, map the columns, send. */
export function ImportWizard() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  if (!useMay("editor")) {
    return (
      <Callout kind="info">{t("You need to be an editor or above to import contacts.")}</Callout>
    );
  }
  const read = async (given: File) => {
    setProblem(null);
    const found = await readTextFile(given);
    if (found === null) {
      setProblem(
        t("{file} is not a text file. Save the spreadsheet as “CSV UTF-8” and try again.", {
          file: given.name,
        }),
      );
      return;
    }
    const { file, text, converted } = found;
    const preview = previewCsv(text, file.size <= previewBytes);
    if (preview.header.length === 0 || preview.rows.length === 0) {
      setProblem(
        t("{file} needs a first line with the column names and at least one row below it.", {
          file: file.name,
        }),
      );
    } else setChosen({ file, preview, converted });
  };
  if (chosen) {
    return <Mapping key={chosen.file.name} {...chosen} onBack={() => setChosen(null)} />;
  }
  if (isReading) {
    return (
      <p role="status" className="flex items-center gap-3 py-12 text-soft">
        <BusyDots /> {t("Reading the file…")}
      </p>
    );
  }
  return (
    <>
      {problem && (
        <div className="mb-4">
          <Callout kind="danger" alert>
            {problem}
          </Callout>
        </div>
      )}
      <DropFile
        onFile={(file) => {
          setReading(true);
          read(file)
            .catch(() => setProblem(t("{file} could not be read.", { file: file.name })))
            .finally(() => setReading(false));
        }}
      />
    </>
  );
}

function Mapping({ file, preview, converted, onBack }: Chosen & { onBack: () => void }) {
  const upload = useUpload();
  const path = useProjectPath();
  const router = useRouter();
  const invalidateChanged = useInvalidateChanged();
  const [choices, setChoices] = useState<ColumnChoice[]>(() => guessColumns(preview.header));
  const [unsubscribed, setUnsubscribed] = useState(() => holdsUnsubscribed(file.name));
  const [extras, setExtras] = useState<Extras>({ tags: [], listId: "" });
  const [sent, setSent] = useState(0);
  const stop = useRef<AbortController>(undefined);
  const faults = mappingFaults(choices);
  const start = useAction({
    leaves: true,
    mutationFn: () => {
      stop.current = new AbortController();
      setSent(0);
      const query = new URLSearchParams({
        columns: columnsQuery(choices),
        filename: file.name,
        subscribed: String(!unsubscribed),
        ...(extras.listId && { listId: extras.listId }),
        ...(extras.tags.length > 0 && { tags: extras.tags.join(",") }),
      });
      return upload<ImportAccepted>(`/v1/contacts/import?${query.toString()}`, file, {
        type: "text/csv",
        signal: stop.current.signal,
        onProgress: setSent,
      });
    },
    onSuccess: ({ id }) => {
      router.push(path(`contacts/imports/${id}`));
      void invalidateChanged("POST /v1/contacts/import");
    },
  });
  useUnsaved(start.isPending && !start.isSuccess);
  return (
    <Section
      title={t("Match the columns")}
      description={t(
        "Existing contacts are updated. New ones are subscribed unless a column says otherwise, so only import people who asked for your mail.",
      )}
    >
      <div className="mb-4 flex items-center gap-3 border-y py-2.5 text-sm">
        <FileText className="size-4 shrink-0 text-faint" aria-hidden />
        <span className="min-w-0 truncate font-medium">{file.name}</span>
        <span className="whitespace-nowrap text-faint">{formatBytes(file.size)}</span>
        {!start.isPending && (
          <Button size="sm" variant="ghost" className="ml-auto" onClick={onBack}>
            {t("Choose another file")}
          </Button>
        )}
      </div>
      {converted && (
        <div className="mb-4">
          <Callout kind="info">
            {t(
              "The file is not UTF-8 and was read as Windows-1252, as Excel writes it. See that umlauts and accents are right below.",
            )}
          </Callout>
        </div>
      )}
      <MapColumns
        preview={preview}
        choices={choices}
        faults={faults}
        disabled={start.isPending}
        onChange={setChoices}
      />
      <ImportExtras value={extras} onChange={setExtras} disabled={start.isPending} />
      <div className="mt-5 flex flex-col gap-4">
        <Checkbox
          label={t("Campaigns must not reach these people")}
          hint={t(
            "For a file of those who left or never agreed: all are unsubscribed unless a column says otherwise.",
          )}
          checked={unsubscribed}
          disabled={start.isPending}
          onChange={setUnsubscribed}
        />
        {start.error instanceof ApiError && (
          <Callout kind="danger" alert title={t("The import did not start")}>
            {messageOf(start.error)}
          </Callout>
        )}
        {start.isPending ? (
          <div className="flex flex-wrap items-center gap-4">
            <div className="min-w-60 flex-1">
              <Progress
                label={t("Sending the file")}
                value={sent < file.size ? sent / Math.max(1, file.size) : null}
              />
              <p className="mt-1.5 text-sm text-soft" aria-live="polite">
                {sent < file.size
                  ? t("{sent} of {size} sent", {
                      sent: formatBytes(sent),
                      size: formatBytes(file.size),
                    })
                  : t("Every row is being checked…")}
              </p>
            </div>
            <Button onClick={() => stop.current?.abort(new Error("Stopped."))}>
              <X aria-hidden /> {t("Stop")}
            </Button>
          </div>
        ) : (
          <div className="flex flex-wrap items-center gap-3">
            <Button
              variant="primary"
              pending={start.isPending}
              disabled={faults.size > 0}
              onClick={() => start.mutate()}
            >
              {t("Start import")}
            </Button>
            {faults.has(-1) && <p className="text-sm text-danger">{faults.get(-1)}</p>}
          </div>
        )}
      </div>
    </Section>
  );
}
