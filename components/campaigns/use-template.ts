"use client";

import { useRead } from "@/components/api/use-read";
import type { EmailContent } from "@/components/mail-editor/content-editor";
import type { EmailDesign } from "@/lib/mail/design/schema";

/** What the template that goes out says; undefined while it is loading, and when it is gone. */
export function useTemplate(
  templateId: string | null,
): (EmailContent & { name: string }) | undefined {
  const { data } = useRead(
    "GET /v1/templates/{id}",
    { params: { id: templateId ?? "" } },
    { enabled: Boolean(templateId) },
  );
  if (!templateId || !data) return undefined;
  return { name: data.name, body: data.body, design: data.design as EmailDesign | null };
}
