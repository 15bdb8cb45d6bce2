"use client";

import { useState } from "react";
import { useSettled } from "@/components/api/use-settled";
import { SearchSelect } from "@/components/ui/search-select";
import { phrases, t } from "@/lib/ground/texts/t";
import { useFound, useNameOf, type Kind } from "./use-named";

const goneWords: Record<Kind, string> = phrases({
  list: "A list that no longer exists",
  segment: "A segment that no longer exists",
  template: "A template that no longer exists",
});

/** One of the project's lists, segments or templates, however many there are. Stands in a Field, or alone with `label`. */
export function NamedSelect({
  of: kind,
  none,
  value,
  onChange,
  known,
  label,
  disabled,
  className,
}: {
  of: Kind;
  /** What stands for none: `Choose a list`. */
  none: string;
  /** Id; empty: none. */
  value: string;
  onChange: (id: string) => void;
  /** Those whose names the page came with. */
  known?: readonly { id: string; name: string }[];
  label?: string;
  disabled?: boolean;
  className?: string;
}) {
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState(false);
  const wanted = search.trim();
  const found = useFound(kind, useSettled(wanted), opened);
  const chosen = useNameOf(kind, value, known);
  const note = found.isError
    ? t("They could not be loaded. Try again in a moment.")
    : !found.isLoaded
      ? t("Loading…")
      : found.options.length === 0
        ? t("Nothing found")
        : found.more
          ? t("There are more: type part of the name.")
          : null;
  return (
    <SearchSelect
      options={[...(wanted === "" ? [{ value: "", label: none }] : []), ...found.options]}
      chosen={
        value === ""
          ? { value: "", label: none }
          : { value, label: chosen.name ?? (chosen.gone ? goneWords[kind] : "…") }
      }
      onChange={onChange}
      search={search}
      onSearch={setSearch}
      onOpen={() => setOpened(true)}
      note={wanted === "" && found.isLoaded && found.options.length === 0 ? null : note}
      {...(label === undefined ? {} : { label })}
      {...(disabled === undefined ? {} : { disabled })}
      {...(className === undefined ? {} : { className })}
    />
  );
}
