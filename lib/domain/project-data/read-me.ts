import { t } from "@/lib/ground/texts/t";

/** What is in the archive of a project, in the reader's language. */
export function readMe(project: string, at: Date): string {
  const lines = [
    t("{project}, exported on {time}", { project, time: at.toISOString() }),
    "",
    t("project.json: the settings of the project."),
    t(
      "*.ndjson: one JSON object a line. Contacts with their fields and tags, lists with their members, topics and who left them, segments, forms, templates, campaigns with their figures and earlier versions, domains, connections, webhooks and members.",
    ),
    t("contacts.csv: the contacts as Lettermill imports them again."),
    t("consent.csv: who agreed to what or left it, when and how."),
    t("suppressions.csv: the addresses that nothing is sent to."),
    t("manifest.json: how many rows each file has. Without it the download broke off."),
    "",
    t(
      "Each file shows the project at the moment it was read: what changed during the export may be in one file and not in another.",
    ),
    t(
      "Not in here: emails and their events, uploaded files themselves, and anything secret, such as keys and passwords.",
    ),
  ];
  return `${lines.join("\n")}\n`;
}
