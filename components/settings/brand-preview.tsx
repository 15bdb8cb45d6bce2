"use client";

import { useMemo } from "react";
import { branded } from "@/components/mail-editor/branded";
import { HtmlThumbnail } from "@/components/mail-editor/html-thumbnail";
import { starterLanguageOf } from "@/components/mail-editor/starter-words";
import { startersIn } from "@/components/mail-editor/starters";
import { Tabs } from "@/components/ui/tabs";
import type { Brand } from "@/lib/mail/design/brand-schema";
import { renderDesign } from "@/lib/mail/design/render";
import { t } from "@/lib/ground/texts/t";
import { RecipientPreview } from "./recipient-preview";

/** Which of them the logo stands on. */
const pages = ["preferences", "unsubscribe", "confirmation", "form", "sent"] as const;

/** The design that shows what the brand does to one, in the project's language (BCP 47). */
const exampleIn = (language: string) =>
  startersIn(starterLanguageOf(language)).find(({ id }) => id === "welcome");

/** An email, the mail that asks to confirm and the pages of recipients, in a brand. */
export function BrandPreview({ brand, language }: { brand: Brand; language: string }) {
  const html = useMemo(() => {
    const example = exampleIn(language);
    return example ? renderDesign(branded(example.design, brand)) : "";
  }, [brand, language]);
  return (
    <Tabs
      label={t("Preview of")}
      tabs={[
        {
          value: "design",
          label: t("An email in this look"),
          content: (
            <HtmlThumbnail
              html={html}
              title={t("An email in this look")}
              size="half"
              className="h-128 max-w-96 rounded-md border border-rule-strong"
            />
          ),
        },
        {
          value: "mail",
          label: t("The email that asks to confirm"),
          content: <RecipientPreview draft={{ brand }} views={["mail"]} />,
        },
        {
          value: "pages",
          label: t("The pages recipients see"),
          content: <RecipientPreview draft={{ brand }} views={pages} />,
        },
      ]}
    />
  );
}
