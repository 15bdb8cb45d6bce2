"use client";

import { useSyncExternalStore } from "react";
import { instantOf, localInput } from "@/components/form/local-time";
import { Field, Input } from "@/components/ui/field";
import { t } from "@/lib/ground/texts/t";

const never = () => () => {};

/** Until when mail may go out, in the viewer's own time. `value` and what `onChange` gets: ISO time, or empty. */
export function LatestTime({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string | null;
}) {
  // The server does not know the viewer's time zone.
  const atViewer = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <Field
      label={t("Latest time")}
      name="sendBefore"
      error={error}
      hint={t(
        "People it has not been sent to by then do not get it. Leave this empty for mail that is never too late.",
      )}
      className="max-w-xs"
    >
      <Input
        type="datetime-local"
        value={atViewer && value ? localInput(new Date(value)) : ""}
        onChange={({ target }) => onChange(instantOf(target.value))}
      />
    </Field>
  );
}
