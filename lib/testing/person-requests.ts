import { and, desc, eq } from "drizzle-orm";
import PostalMime from "postal-mime";
import { expect } from "vitest";
import { capturedEmails } from "@/db/schema";
import type { useTestDatabase } from "@/db/testing";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import type { Context } from "@/lib/ground/context";
import { campaignMail, join, makeList } from "./opt-outs";
import { makeProject } from "./index";

/** What somebody does on their preference page, of an application that serves it; `email`: the reader's address. */
export function personRequestsOf(
  app: { fetch: (request: Request) => Response | Promise<Response> },
  database: ReturnType<typeof useTestDatabase>,
  email: string,
) {
  const ask = (method: string, path: string, fields?: Record<string, string>) =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        method,
        ...(fields ? { body: new URLSearchParams(fields) } : {}),
      }),
    );
  const page = async (path: string) => (await ask("GET", path)).text();

  async function reader() {
    const { ctx, projectId } = await makeProject(database.db);
    const list = await makeList(ctx);
    const member = await join(ctx, list.id, email);
    const mail = await campaignMail(database.db, ctx, { ...member, email, listId: list.id });
    const wants = async (fields: Record<string, string>) => {
      const answer = await ask("POST", `/t/preferences/${mail.token}`, fields);
      expect(answer.status).toBe(303);
      return answer.headers.get("location") ?? "";
    };
    return { ctx, projectId, list, member, mail, wants };
  }

  /** Mails around the log to an address, the newest first. */
  async function mailsTo(projectId: string, to: string) {
    const rows = await database.db
      .select({ raw: capturedEmails.raw })
      .from(capturedEmails)
      .where(and(eq(capturedEmails.projectId, projectId), eq(capturedEmails.envelopeTo, to)))
      .orderBy(desc(capturedEmails.id));
    return Promise.all(rows.map(({ raw }) => new PostalMime().parse(raw)));
  }
  async function linkTo(projectId: string, to: string): Promise<string> {
    const [mail] = await mailsTo(projectId, to);
    const [, path] = /https?:\/\/[^/"\s]+(\/request\/[\w-]+)/.exec(mail?.text ?? "") ?? [];
    if (!path) throw new Error(`No mail with a link went to ${to}.`);
    return path;
  }
  const kinds = async (ctx: Context, id: string) =>
    (await listSubscriptionChanges(ctx, id, { limit: 50 })).data.map(({ kind, after }) => [
      kind,
      after,
    ]);

  return { ask, page, reader, mailsTo, linkTo, kinds };
}
