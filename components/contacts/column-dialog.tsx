"use client";

import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { ColumnDialog, type ColumnDialogProps } from "@/components/list-page/column-dialog";
import { t } from "@/lib/ground/texts/t";

/** The columns of the list of contacts, with the fields that the project's contacts have. */
export function ContactColumnDialog(props: ColumnDialogProps) {
  const read = useRead("GET /v1/contacts/fields", {});
  return (
    <ColumnDialog
      {...props}
      fields={{
        names: (read.data?.data ?? []).map(({ key }) => ({ key, label: key })),
        isPending: read.isPending,
        fault: read.isError ? messageOf(read.error) : null,
        none: t("No contact has any yet. They come with an import, a form or the API."),
      }}
    />
  );
}
