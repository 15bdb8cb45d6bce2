"use client";

import { LayoutTemplate } from "lucide-react";
import { useRead } from "@/components/api/use-read";
import { HtmlThumbnail } from "@/components/mail-editor/html-thumbnail";
import { Skeleton } from "@/components/ui/skeleton";
import { WhenSeen } from "@/components/ui/when-seen";
import type { TemplateSummary } from "@/lib/domain/templates/schema";
import { t } from "@/lib/ground/texts/t";
import { starterSample } from "./starter";

const frame = "aspect-4/3 w-full rounded-t-md border-b";
/** What is larger takes a browser longer to draw than a stamp of it is worth. */
const mostCharacters = 500_000;
const data = JSON.parse(starterSample) as Record<string, unknown>;

/** The mail as small as a stamp, read and drawn once it is scrolled to. */
export function TemplateThumbnail({ template }: { template: TemplateSummary }) {
  return (
    <WhenSeen className={`${frame} overflow-hidden bg-sunken`} atRest={false}>
      <Picture template={template} />
    </WhenSeen>
  );
}

function Picture({ template }: { template: TemplateSummary }) {
  const { data: mail, isError } = useRead(
    "POST /v1/templates/{id}/render",
    { params: { id: template.id }, body: { data } },
    { version: template.version, staleTime: Infinity, retry: false },
  );
  if (!mail && !isError) return <Skeleton className="size-full" />;
  return mail && mail.html.length <= mostCharacters ? (
    <HtmlThumbnail html={mail.html} title={t("Thumbnail")} size="stamp" className="size-full" />
  ) : (
    <span className="flex size-full items-center justify-center">
      <LayoutTemplate className="size-7 text-faint" aria-hidden />
    </span>
  );
}
