"use client";

import { useApi } from "@/components/api/use-api";
import { DeleteThing } from "@/components/shell/delete-thing";
import type { Template } from "@/lib/domain/templates/schema";

/** Asks, deletes and goes back to the list. */
export function DeleteTemplate({ template }: { template: Template }) {
  const api = useApi();
  return (
    <DeleteThing
      kind="template"
      name={template.name}
      list="templates"
      remove={() => api("DELETE /v1/templates/{id}", { params: { id: template.id } })}
      iconOnly
    >
      All {template.version === 1 ? "of it" : `${template.version} versions`} will be gone for good.
      A program that sends it by its id gets NOT_FOUND from then on; mail that was sent with it
      stays as it is.
    </DeleteThing>
  );
}
