"use client";

import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { fieldFault, messageOf } from "@/components/api/faults";
import { useMay } from "@/components/api/project-context";
import { useUpload } from "@/components/api/use-upload";
import { useInvalidateChanged } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { FileInput } from "@/components/ui/file-input";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { SuppressionImport } from "@/lib/domain/suppressions/schema";
import { t } from "@/lib/ground/texts/t";

/** The button that suppresses the addresses of a file. Renders nothing for those who may not. */
export function ImportSuppressions() {
  const [open, setOpen] = useState(false);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FileUp aria-hidden /> {t("Import CSV")}
      </Button>
      {open && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const upload = useUpload();
  const invalidateChanged = useInvalidateChanged();
  const input = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState<SuppressionImport | null>(null);
  const send = useAction<SuppressionImport, File>({
    mutationFn: (file) => upload("/v1/suppressions/import", file, { type: "text/csv" }),
    onSuccess: setAnswer,
    // An upload that broke off may have been imported all the same.
    onSettled: () => invalidateChanged("POST /v1/suppressions/import"),
  });
  const fault = send.isError ? (fieldFault(send.error, "file") ?? messageOf(send.error)) : null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={answer ? t("The file was imported") : t("Suppress the addresses of a file")}
      description={
        answer ? undefined : (
          <p>
            {t(
              "A CSV with a column “email”, and optionally “reason”, “response” (what the server said) and “createdAt” (since when), such as another provider’s suppression list; or a file with one address per line. Nothing is sent to them from now on.",
            )}
          </p>
        )
      }
      footer={
        answer ? (
          <Button variant="primary" onClick={onClose}>
            {t("Done")}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t("Cancel")}</Button>
            <Button
              variant="primary"
              pending={send.isPending}
              onClick={() => input.current?.click()}
            >
              {t("Choose a file")}
            </Button>
          </>
        )
      }
    >
      {answer ? (
        <Result answer={answer} />
      ) : (
        <>
          {fault && (
            <Callout kind="danger" title={t("Nothing was imported")}>
              {fault}
            </Callout>
          )}
          <FileInput
            ref={input}
            accept=".csv,.txt,text/csv,text/plain"
            className="hidden"
            label={t("CSV file")}
            onFiles={([file]) => file && send.mutate(file)}
          />
        </>
      )}
    </Dialog>
  );
}

function Result({ answer: { added, known, refused, refusedRows } }: { answer: SuppressionImport }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>
        {t(
          "{added, plural, one {# address is suppressed now} other {# addresses are suppressed now}}{known, plural, =0 {} other {, # already were}}{refused, plural, =0 {} one {, and # row could not be read} other {, and # rows could not be read}}.",
          { added, known, refused },
        )}
      </p>
      {refusedRows.length > 0 && (
        <div className="max-h-64 overflow-y-auto">
          <Table label={t("Rows that could not be read")}>
            <TableHead>
              <HeaderCell className="w-16">{t("Line")}</HeaderCell>
              <HeaderCell>{t("What it says")}</HeaderCell>
              <HeaderCell>{t("Why")}</HeaderCell>
            </TableHead>
            <tbody>
              {refusedRows.map(({ line, email, reason }) => (
                <Row key={line}>
                  <Cell>{line}</Cell>
                  <Cell className="wrap-anywhere">{email || "–"}</Cell>
                  <Cell className="text-soft">{reason}</Cell>
                </Row>
              ))}
            </tbody>
          </Table>
          {refused > refusedRows.length && (
            <p className="mt-2 text-faint">
              {t("The first {count} of them.", { count: refusedRows.length })}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
