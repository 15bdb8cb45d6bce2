import { and, asc, eq } from "drizzle-orm";
import { render } from "react-email";
import type { Database } from "@/db/client";
import { memberships, projects, users } from "@/db/schema";
import { WebhookDisabled, webhookDisabledSubject } from "@/emails/webhook-disabled";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { sendPlatformMail } from "@/lib/domain/users/platform-mail";
import type { DisabledWebhook } from "./record";

/** Mails each owner that a webhook was switched off. One mail that does not leave stops no other. */
export async function tellOwners(db: Database, webhook: DisabledWebhook): Promise<void> {
  const owners = await db
    .select({ id: users.id, email: users.email, name: users.name, project: projects.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(projects, eq(projects.id, memberships.projectId))
    .where(and(eq(memberships.projectId, webhook.projectId), eq(memberships.role, "owner")))
    .orderBy(asc(users.id));
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
