"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import { Checkbox } from "@/components/ui/checkbox";
import { t } from "@/lib/ground/texts/t";
import {
  fieldColumn,
  fieldOf,
  isOwn,
  keepColumns,
  mostFieldColumns,
  ownColumns,
  toggled,
  usualColumns,
  type Column,
  type OwnColumn,
} from "./columns";

/** From here on, one is found sooner by typing. */
const manyFields = 10;

/** The columns that the list can have; each is there or gone as soon as it is pressed. */
export function ColumnDialog({
  columns,
  onClose,
}: {
  columns: readonly Column[];
  onClose: () => void;
}) {
  const path = useProjectPath();
  const router = useRouter();
  const [chosen, setChosen] = useState(columns);
  const choose = (next: readonly Column[] | null) => {
    if (!next) return;
    setChosen(next);
    keepColumns(next, path("contacts"));
    router.refresh();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t("Columns")}
      description={t("What the list shows beside a person. Only this browser remembers it.")}
      footer={
        <>
          <Button variant="ghost" onClick={() => choose(usualColumns)}>
            {t("The usual ones")}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t("Done")}
          </Button>
        </>
      }
    >
      <ul className="grid gap-2.5 sm:grid-cols-2" aria-label={t("A person’s own")}>
        {(Object.keys(ownColumns) as OwnColumn[]).map((column) => (
          <li key={column}>
            <Checkbox
              label={ownColumns[column]}
              checked={chosen.includes(column)}
              onChange={() => choose(toggled(chosen, column))}
            />
          </li>
        ))}
      </ul>
      <Fields chosen={chosen} onToggle={(column) => choose(toggled(chosen, column))} />
    </Dialog>
  );
}

function Fields({
  chosen,
  onToggle,
}: {
  chosen: readonly Column[];
  onToggle: (column: Column) => void;
}) {
  const read = useRead("GET /v1/contacts/fields", {});
  const [search, setSearch] = useState("");
  // A field that nobody has any more can still be taken out.
  const kept = chosen.filter((column) => !isOwn(column)).map(fieldOf);
  const keys = [...new Set([...kept, ...(read.data?.data ?? []).map(({ key }) => key)])];
  const wanted = search.trim().toLowerCase();
  const shown = keys.filter((key) => key.toLowerCase().includes(wanted));
  return (
    <>
      <h3 className="eyebrow mt-5 mb-2.5">{t("Custom fields")}</h3>
      {read.isPending && <Skeleton className="h-5 w-40" />}
      {read.isError && (
        <p role="alert" className="mb-2 text-sm text-danger">
          {messageOf(read.error)}
        </p>
      )}
      {read.isSuccess && keys.length === 0 && (
        <p className="text-sm text-soft">
          {t("No contact has any yet. They come with an import, a form or the API.")}
        </p>
      )}
      {keys.length > manyFields && (
        <div className="mb-3">
          <Field label={t("Find a field")} name="find">
            <Input value={search} onChange={({ target }) => setSearch(target.value)} />
          </Field>
        </div>
      )}
      <ul
        className="grid max-h-60 gap-2.5 overflow-y-auto sm:grid-cols-2"
        aria-label={t("Custom fields")}
      >
        {shown.map((key) => {
          const column = fieldColumn(key);
          const isChosen = chosen.includes(column);
          return (
            <li key={key} className="min-w-0 wrap-anywhere">
              <Checkbox
                label={key}
                checked={isChosen}
                disabled={!isChosen && toggled(chosen, column) === null}
                onChange={() => onToggle(column)}
              />
            </li>
          );
        })}
      </ul>
      {kept.length >= mostFieldColumns && (
        <p className="mt-3 text-xs text-faint">
          {t("{mostFieldColumns} fields fit beside each other. Take one out to show another.", {
            mostFieldColumns,
          })}
        </p>
      )}
    </>
  );
}
