"use client";

import { useMemo } from "react";
import { renderDesign } from "@/lib/mail/design/render";
import type { EmailDesign } from "@/lib/mail/design/schema";
import { t } from "@/lib/ground/texts/t";
import { HtmlThumbnail } from "./html-thumbnail";

/** A design as small as a stamp. */
export function Thumbnail({ design }: { design: EmailDesign }) {
  const html = useMemo(() => renderDesign(design), [design]);
  return (
    <HtmlThumbnail
      html={html}
      title={t("Thumbnail")}
      size="stamp"
      className="aspect-4/3 rounded-t-md border-b"
    />
  );
}
