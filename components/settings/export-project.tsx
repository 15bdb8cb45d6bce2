"use client";

import { useMay } from "@/components/api/project-context";
import { ExportLink } from "@/components/exports/export-link";
import { Section } from "@/components/ui/page-header";
import { t } from "@/lib/ground/texts/t";

/** All of the project as one file. Shown to those who may take it. */
export function ExportProject() {
  if (!useMay("admin")) return null;
  return (
    <Section
      title={t("Export this project")}
      description={t(
        "Contacts with their consent, lists, segments, templates, campaigns with their figures, suppressions, domains, webhooks and settings, as one ZIP. Emails, uploaded files and secrets are not in it.",
      )}
    >
      <ExportLink path="/v1/project/export" filename="project.zip">
        {t("Export the project")}
      </ExportLink>
      <p className="mt-3 max-w-prose text-sm text-soft">
        {t(
          "You see how far it is while you go on working here. Stopping the download ends the export. The audit log notes it.",
        )}
      </p>
    </Section>
  );
}
