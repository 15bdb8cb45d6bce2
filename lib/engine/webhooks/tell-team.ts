import type { Database } from "@/db/client";
import { mailTeam } from "@/lib/domain/team-letters/mail";
import { encodeId } from "@/lib/ground/ids/ids";
import type { DisabledWebhook } from "./record";

/** Mails the project's team that a webhook was switched off. */
export async function tellTeam(db: Database, webhook: DisabledWebhook): Promise<void> {
  const { projectId, id, url: endpoint, cause } = webhook;
  await mailTeam(db, projectId, "webhookDisabled", (project, { text }) => ({
    subject: text("mail.webhook.subject"),
    preview: text("mail.webhook.preview", { endpoint }),
    text: text("mail.webhook.text", {
      project,
      endpoint,
      reason: text(`mail.webhook.${cause}`),
    }),
    action: {
      label: text("mail.webhook.button"),
      page: `/webhooks/${encodeId("webhook", id)}`,
    },
  }));
}
