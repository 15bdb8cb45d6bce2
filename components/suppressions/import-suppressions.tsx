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
import { count, counted } from "@/components/ui/numbers";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { SuppressionImport } from "@/lib/domain/suppressions/schema";

/** The button that suppresses the addresses of a file. Renders nothing for those who may not. */
export function ImportSuppressions() {
  const [open, setOpen] = useState(false);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FileUp aria-hidden /> Import CSV
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
      title={answer ? "The file was imported" : "Suppress the addresses of a file"}
      description={
        answer ? undefined : (
          <p>
            A CSV with a column “email”, and optionally “reason”, “response” (what the server said)
            and “createdAt” (since when), such as another provider’s suppression list; or a file
            with one address per line. Nothing is sent to them from now on.
          </p>
        )
      }
      footer={
        answer ? (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="primary"
              pending={send.isPending}
              onClick={() => input.current?.click()}
            >
              Choose a file
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
            <Callout kind="danger" title="Nothing was imported">
              {fault}
            </Callout>
          )}
          <FileInput
            ref={input}
            accept=".csv,.txt,text/csv,text/plain"
            className="hidden"
            label="CSV file"
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
        {counted(added, "address", "addresses")} {added === 1 ? "is" : "are"} suppressed now
        {known > 0 && `, ${count(known)} already were`}
        {refused > 0 && `, and ${counted(refused, "row")} could not be read`}.
      </p>
      {refusedRows.length > 0 && (
        <div className="max-h-64 overflow-y-auto">
          <Table label="Rows that could not be read">
            <TableHead>
              <HeaderCell className="w-16">Line</HeaderCell>
              <HeaderCell>What it says</HeaderCell>
              <HeaderCell>Why</HeaderCell>
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
            <p className="mt-2 text-faint">The first {refusedRows.length} of them.</p>
          )}
        </div>
      )}
    </div>
  );
}
