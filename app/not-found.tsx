import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { LinkButton } from "@/components/ui/button";
import { t } from "@/lib/ground/texts/t";

export function generateMetadata(): Metadata {
  return { title: t("Page not found") };
}

export default function NotFound() {
  return (
    <QuietPage
      title={t("Page not found")}
      lead={t("There is nothing at this address, or you do not have access to it.")}
    >
      <LinkButton href="/dashboard" variant="primary">
        {t("Go to the dashboard")}
      </LinkButton>
    </QuietPage>
  );
}
