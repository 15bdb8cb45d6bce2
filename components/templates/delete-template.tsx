"use client";

import { useApi } from "@/components/api/use-api";
import { DeleteThing } from "@/components/shell/delete-button";
import type { Template } from "@/lib/domain/templates/schema";
import { t } from "@/lib/ground/texts/t";

/** Asks, deletes and goes back to the list. */
export function DeleteTemplate({ template }: { template: Template }) {
  const api = useApi();
  return (
    <DeleteThing
      kind="template"
      name={template.name}
      list="templates"
      remove={() => api("DELETE /v1/templates/{id}", { params: { id: template.id } })}
      undo={() => api("POST /v1/templates/{id}/restore", { params: { id: template.id } })}
      iconOnly
    >
      {template.version === 1
        ? t(
            "Programs that send it by its id will get NOT_FOUND. Mail already sent with it is not affected.",
          )
        : t(
            "This deletes all {version} versions. Programs that send it by its id will get NOT_FOUND. Mail already sent with it is not affected.",
            { version: template.version },
          )}
    </DeleteThing>
  );
}
