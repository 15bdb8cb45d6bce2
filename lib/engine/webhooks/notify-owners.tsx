import type { Database } from "@/db/client";
import { Letter } from "@/emails/letter";
import { mailOwners } from "@/lib/domain/users/mail-owners";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import type { DisabledWebhook } from "./record";

/** Mails each owner that a webhook was switched off. */
export async function tellOwners(db: Database, webhook: DisabledWebhook): Promise<void> {
  const { projectId, id, url: endpoint, cause } = webhook;
  const page = `${env().APP_URL}/dashboard/${encodeId("project", projectId)}/webhooks/${encodeId("webhook", id)}`;
  await mailOwners(db, projectId, (project, { language, dir, text }) => ({
    subject: text("mail.webhook.subject"),
    letter: (
      <Letter
        {...{ language, dir }}
        title={text("mail.webhook.subject")}
        preview={text("mail.webhook.preview", { endpoint })}
        text={text("mail.webhook.text", {
          project,
          endpoint,
          reason: text(`mail.webhook.${cause}`),
        })}
        action={{ label: text("mail.webhook.button"), url: page, hint: text("mail.copyLink") }}
        foot={text("mail.owner")}
      />
    ),
  }));
}
