import type { Database } from "@/db/client";
import { WebhookDisabled, webhookDisabledSubject } from "@/emails/webhook-disabled";
import { mailOwners } from "@/lib/domain/users/mail-owners";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import type { DisabledWebhook } from "./record";

/** Mails each owner that a webhook was switched off. */
export async function tellOwners(db: Database, webhook: DisabledWebhook): Promise<void> {
  const { projectId, id, url: endpoint, reason } = webhook;
  const page = `${env().APP_URL}/dashboard/${encodeId("project", projectId)}/webhooks/${encodeId("webhook", id)}`;
  await mailOwners(db, projectId, webhookDisabledSubject, (project) => (
    <WebhookDisabled project={project} endpoint={endpoint} reason={reason} url={page} />
  ));
}
