"use client";

import { Download } from "lucide-react";
import { useMay, useProject } from "@/components/api/project-context";
import { buttonClass } from "@/components/ui/button";
import { Section } from "@/components/ui/page-header";
import { t } from "@/lib/ground/texts/t";

/** All of the project as one file that the browser streams to disk. Shown to those who may take it. */
export function ExportProject() {
  const { id } = useProject();
  if (!useMay("admin")) return null;
  return (
    <Section
      title={t("Export this project")}
      description={t(
        "Contacts with their consent, lists, segments, templates, campaigns with their figures, suppressions, domains, webhooks and settings, as one ZIP. Emails, uploaded files and secrets are not in it.",
      )}
    >
      <a
        href={`/api/dashboard/${id}/v1/project/export`}
        download="project.zip"
        className={buttonClass()}
      >
        <Download aria-hidden /> {t("Export the project")}
      </a>
      <p className="mt-3 max-w-prose text-sm text-soft">
        {t(
          "Your browser shows how far it is, even while you go on working here. Stopping the download ends the export. The audit log notes it.",
        )}
      </p>
    </Section>
  );
}
