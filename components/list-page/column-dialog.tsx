"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import { t } from "@/lib/ground/texts/t";
import {
  fieldColumn,
  fieldOf,
  isField,
  keepColumns,
  mostFieldColumns,
  toggled,
  type ColumnSet,
} from "./columns";

/** From here on, one is found sooner by typing. */
const manyFields = 10;

/** The custom fields that a list can show. */
export interface FieldNames {
  names: readonly { key: string; label: string }[];
  isPending?: boolean;
  /** Why they could not be read. */
  fault?: string | null;
  /** Where they come from, said when there are none. */
  none?: string;
}

export interface ColumnDialogProps {
  set: ColumnSet<string, string>;
  /** Those that are shown. */
  columns: readonly string[];
  /** Where the list is below the project: `contacts`. */
  at: string;
  /** What is chosen here, as a sentence. */
  about: string;
  /** Names what every row has, for screen readers. */
  own: string;
  /** Absent: rows have no custom fields. */
  fields?: FieldNames;
  onClose: () => void;
}

/** The columns that a list can have; each is there or gone as soon as it is pressed. */
export function ColumnDialog({ set, columns, at, about, own, fields, onClose }: ColumnDialogProps) {
  const path = useProjectPath();
  const router = useRouter();
  const [chosen, setChosen] = useState(columns);
  const choose = (next: readonly string[] | null) => {
    if (!next) return;
    setChosen(next);
    keepColumns(set, next, path(at));
    router.refresh();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t("Columns")}
      description={`${about} ${t("Only this browser remembers it.")}`}
      footer={
        <>
          <Button variant="ghost" onClick={() => choose(set.usual)}>
            {t("The usual ones")}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t("Done")}
          </Button>
        </>
      }
    >
      <p className="mb-4 text-sm text-soft md:hidden">
        {t("On a narrow screen, some of them do not fit and are left out.")}
      </p>
      <ul className="grid gap-2.5 sm:grid-cols-2" aria-label={own}>
        {Object.entries(set.words).map(([column, label]) => (
          <li key={column}>
            <Checkbox
              label={label}
              checked={chosen.includes(column)}
              onChange={() => choose(toggled(set, chosen, column))}
            />
          </li>
        ))}
      </ul>
      {fields && (
        <Fields
          {...fields}
          chosen={chosen}
          next={(column) => toggled(set, chosen, column)}
          onChoose={choose}
        />
      )}
    </Dialog>
  );
}

function Fields({
  names,
  isPending = false,
  fault = null,
  none,
  chosen,
  next,
  onChoose,
}: FieldNames & {
  chosen: readonly string[];
  /** The columns with one more or less; null where that one is too many. */
  next: (column: string) => readonly string[] | null;
  onChoose: (columns: readonly string[] | null) => void;
}) {
  const [search, setSearch] = useState("");
  // A field that nobody has any more can still be taken out.
  const kept = chosen.filter(isField).map(fieldOf);
  const labels = new Map(names.map(({ key, label }) => [key, label]));
  const keys = [...new Set([...kept, ...labels.keys()])];
  const labelOf = (key: string) => labels.get(key) ?? key;
  const wanted = search.trim().toLowerCase();
  const shown = keys.filter((key) => labelOf(key).toLowerCase().includes(wanted));
  return (
    <>
      <h3 className="eyebrow mt-5 mb-2.5">{t("Custom fields")}</h3>
      {isPending && <Skeleton className="h-5 w-40" />}
      {fault !== null && (
        <p role="alert" className="mb-2 text-sm text-danger">
          {fault}
        </p>
      )}
      {!isPending && fault === null && keys.length === 0 && (
        <p className="text-sm text-soft">{none}</p>
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
                label={labelOf(key)}
                checked={isChosen}
                disabled={!isChosen && next(column) === null}
                onChange={() => onChoose(next(column))}
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
