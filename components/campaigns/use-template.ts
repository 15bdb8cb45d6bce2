"use client";

import { useRead } from "@/components/api/use-read";
import type { EmailContent } from "@/components/mail-editor/content-editor";
import { ApiError } from "@/lib/doors/http/client";
import type { EmailDesign } from "@/lib/mail/design/schema";

type Template = EmailContent & { name: string };

/** What the template that goes out says, as it is read; `template` null: it is gone. */
export function useTemplateRead(templateId: string | null) {
  const read = useRead(
    "GET /v1/templates/{id}",
    { params: { id: templateId ?? "" } },
    { enabled: Boolean(templateId) },
  );
  const { data, error } = read;
  const isGone = error instanceof ApiError && error.code === "NOT_FOUND";
  const found: Template | null | undefined =
    templateId && data
      ? { name: data.name, body: data.body, design: data.design as EmailDesign | null }
      : isGone
        ? null
        : undefined;
  return { read, template: found };
}

/** What the template that goes out says; undefined while it is loading, and when it is gone. */
export const useTemplate = (templateId: string | null): Template | undefined =>
  useTemplateRead(templateId).template ?? undefined;
