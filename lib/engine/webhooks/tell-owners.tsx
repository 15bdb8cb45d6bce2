import { sql } from "drizzle-orm";
import { render } from "react-email";
import type { Database } from "@/db/client";
import { WebhookDisabled, webhookDisabledSubject } from "@/emails/webhook-disabled";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { sendPlatformMail } from "@/lib/domain/users/platform-mail";
import type { DisabledWebhook } from "./record";

interface Owner extends Record<string, unknown> {
  id: string;
  email: string;
  name: string;
  project: string;
}

/** Mails each owner that a webhook was switched off. One mail that does not leave stops no other. */
export async function tellOwners(db: Database, webhook: DisabledWebhook): Promise<void> {
  const owners = await db.execute<Owner>(sql`
    select u.id, u.email, u.name, p.name as project
    from memberships m join users u on u.id = m.user_id join projects p on p.id = m.project_id
    where m.project_id = ${webhook.projectId} and m.role = 'owner' order by u.id`);
  const page = `${env().APP_URL}/dashboard/${encodeId("project", webhook.projectId)}/webhooks/${encodeId("webhook", webhook.id)}`;
  for (const owner of owners) {
    const letter = (
      <WebhookDisabled
        project={owner.project}
        endpoint={webhook.url}
        reason={webhook.reason}
        url={page}
      />
    );
    try {
      await sendPlatformMail(db, owner, {
        subject: webhookDisabledSubject,
        html: await render(letter),
        text: await render(letter, { plainText: true }),
      });
    } catch {
      log.error({ webhookId: webhook.id, userId: owner.id }, "An owner could not be told.");
    }
  }
}
