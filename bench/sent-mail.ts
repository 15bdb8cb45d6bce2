import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { campaigns } from "@/db/schema";
import { sendEmail } from "@/lib/domain/emails/send";
import { createProject } from "@/lib/domain/projects/projects";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { claimEmails } from "@/lib/engine/sending/claim";
import { recordResults } from "@/lib/engine/sending/record";
import { resultOf } from "@/lib/engine/sending/result";
import { systemContext, type Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";

const sendsAtOnce = 20;

const accepted = {
  kind: "accepted" as const,
  reply: { code: 250, enhancedCode: "2.0.0", text: "OK: queued as 4bXyZ12345" },
};

/** A receipt of about 3 kB, no two alike: repeated content takes no room. */
export function receipt(nth: number): string {
  const line = (n: number) => {
    const words = createHash("sha256").update(`${nth}/${n}`).digest("base64url").match(/.{6}/g);
    return `<p style="margin:0">${words?.slice(0, 3).join(" ") ?? ""}: ${n * 7} of them, ${nth % 97}.95 EUR</p>`;
  };
  return `<h1>Thank you</h1>${Array.from({ length: 45 }, (_, n) => line(n)).join("")}`;
}

/** A project with this many subscribed contacts. */
export async function projectOf(db: Database, people: number): Promise<Context> {
  const user = await findOrCreateUser(db, { email: "bench@example.com" });
  const { id: projectId } = await createProject(db, { name: "Bench", ownerUserId: user.id });
  await db.execute(sql`
    insert into contacts (id, project_id, email, consent)
    select new_id(), ${projectId}, 'p' || n || '@example.org', 'subscribed'
    from generate_series(1, ${people}::int) n`);
  return systemContext(db, projectId);
}

/** Claims and records what is due, as dispatch does; resolves to how much it was. */
async function sendAll(db: Database): Promise<number> {
  let sent = 0;
  for (;;) {
    const { emails } = await claimEmails(db, { limit: 100, leaseSeconds: 90 });
    if (emails.length === 0) return sent;
    await recordResults(
      db,
      emails.map((email) => resultOf(email, accepted)),
    );
    sent += emails.length;
  }
}

/** Sends receipts from number `first` up to `last`, each in a request of its own. */
export async function sendReceipts(
  ctx: Context,
  { first, last }: { first: number; last: number },
): Promise<void> {
  for (let n = first; n < last; n += sendsAtOnce) {
    await Promise.all(
      Array.from({ length: Math.min(sendsAtOnce, last - n) }, (_, index) =>
        sendEmail(ctx, {
          from: "shop@sandbox.test",
          to: `p${n + index}@example.org`,
          subject: `Your order ${n + index}`,
          body: receipt(n + index),
        }),
      ),
    );
    await sendAll(ctx.db);
  }
}

/** Sends a campaign to everybody; resolves to its id. Throws unless `people` of its mails were sent. */
export async function sendCampaignTo({ db, projectId }: Context, people: number): Promise<string> {
  const id = newId(projectId);
  await db.insert(campaigns).values({
    id,
    projectId,
    name: "News",
    subject: "News",
    html: "<p>News</p>",
    fromEmail: "news@sandbox.test",
    status: "SENDING",
    startedAt: sql`app_now()`,
    dueAt: sql`app_now()`,
  });
  await advanceCampaigns(db, AbortSignal.timeout(600_000));
  const sent = await sendAll(db);
  if (sent !== people) throw new Error(`${sent} of the campaign's mails were sent.`);
  return id;
}
