import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "@/db/client";
import type { ConnectionKind } from "@/db/enums";
import type { ConnectionSettings } from "@/db/schema/connections";
import { emails, idempotencyKeys, sendingConnections } from "@/db/schema";
import { findReportedEmail, recordReportOf } from "@/lib/domain/delivery-reports/report";
import { unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { invalid, isAppError } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { sha256, unseal } from "@/lib/ground/secrets";
import { storableText } from "@/lib/ground/storable-text";
import { recipientToken } from "@/lib/mail/tracking/tokens";
import { openSnsMessage } from "./connection-topic";
import { mailgunHook } from "./mailgun";
import { postmarkHook } from "./postmark";
import type { HookCall, ProviderHook, ProviderReport, ReportReader } from "./provider-report";
import { resendHook } from "./resend";
import { sendgridHook } from "./sendgrid";
import { sesReports } from "./ses";

/** null: it reports in another way, such as by mail. */
const hooks: Record<ConnectionKind, ProviderHook | ReportReader | null> = {
  smtp: null,
  mx: null,
  // Amazon SNS brings its events.
  ses: sesReports,
  resend: resendHook,
  postmark: postmarkHook,
  mailgun: mailgunHook,
  sendgrid: sendgridHook,
};

/** A connection whose provider reports by calling us. */
export interface ReportingConnection {
  /** uuid */
  id: string;
  projectId: string;
  hook: ProviderHook | ReportReader;
  webhookSecretSealed: string | null;
  settings: ConnectionSettings;
}

/** Finds it by the id in the address; null: no connection, or one that nobody calls. */
export async function findReportingConnection(
  db: Database,
  wireId: string,
): Promise<ReportingConnection | null> {
  const id = decodeId("connection", wireId);
  if (!id) return null;
  const [row] = await db
    .select({
      projectId: sendingConnections.projectId,
      kind: sendingConnections.kind,
      webhookSecretSealed: sendingConnections.webhookSecretSealed,
      settings: sendingConnections.settings,
    })
    .from(sendingConnections)
    .where(eq(sendingConnections.id, id));
  const hook = row && hooks[row.kind];
  if (!row || !hook) return null;
  const { projectId, webhookSecretSealed, settings } = row;
  return { id, projectId, hook, webhookSecretSealed, settings };
}

/**
 * Records what a provider reports, once for each email, and only for the connection's own project. `forged`: nothing
 * proves that it comes from the provider, and nothing has changed. `foreign`: it comes from another topic than the
 * connection's. Throws VALIDATION_ERROR for anything but JSON, UNAVAILABLE while nothing can be proved.
 */
export async function takeProviderReports(
  db: Database,
  connection: ReportingConnection,
  call: HookCall,
): Promise<"taken" | "forged" | "foreign"> {
  const { hook } = connection;
  const opened =
    "proves" in hook
      ? await openSigned(db, connection, hook, call)
      : await openSnsMessage(db, connection, call.body);
  if (typeof opened === "string") return opened;
  const ofEmails = await byEmail(db, connection, hook.reports(opened.json));
  await Promise.all(
    [...ofEmails].map(async ([emailId, reports]) => {
      for (const report of reports) await record(db, connection, emailId, report);
    }),
  );
  return "taken";
}

async function openSigned(
  db: Database,
  connection: ReportingConnection,
  hook: ProviderHook,
  call: HookCall,
): Promise<"forged" | { json: unknown }> {
  const { webhookSecretSealed } = connection;
  if (webhookSecretSealed === null) return "forged";
  if (!hook.proves(call, unseal(webhookSecretSealed), Date.now() / 1000)) return "forged";
  const json = parsed(call.body);
  if (hook.nonce && !(await isFirstUse(db, connection, hook.nonce(json), call.body))) {
    return "forged";
  }
  return { json };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw invalid("", "The body is not JSON.");
  }
}

/** Whether the signature was never shown with another body. A repeated call is another try after a lost answer. */
async function isFirstUse(
  db: Database,
  { id, projectId }: ReportingConnection,
  nonce: string,
  body: Buffer,
): Promise<boolean> {
  const route = `hooks/${id}`;
  const bodyHash = sha256(body);
  await db
    .insert(idempotencyKeys)
    .values({ projectId, route, key: nonce, bodyHash, response: "" })
    .onConflictDoNothing();
  const [used] = await db
    .select({ bodyHash: idempotencyKeys.bodyHash })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.projectId, projectId),
        eq(idempotencyKeys.route, route),
        eq(idempotencyKeys.key, nonce),
      ),
    );
  return used !== undefined && used.bodyHash.equals(bodyHash);
}

/** What is said of each email, in its order. Others' mail that goes through the same account at the provider is ignored. */
async function byEmail(
  db: Database,
  { projectId }: ReportingConnection,
  reports: readonly ProviderReport[],
): Promise<Map<string, ProviderReport[]>> {
  const ofEmails = new Map<string, ProviderReport[]>();
  for (const report of reports) {
    const emailId = await findNamed({ db, projectId }, report.names);
    if (emailId === null) continue;
    ofEmails.set(emailId, [...(ofEmails.get(emailId) ?? []), report]);
  }
  return ofEmails;
}

async function record(
  db: Database,
  { projectId, hook }: ReportingConnection,
  emailId: string,
  { report, words, cause }: ProviderReport,
): Promise<void> {
  if (report.kind === "unsubscribed") return unsubscribe({ db, projectId }, emailId);
  const response = storableText(words?.text ?? "");
  const data = {
    ...(words?.code ? { code: words.code } : {}),
    ...(words?.enhancedCode ? { enhancedCode: words.enhancedCode } : {}),
    ...(response ? { response } : {}),
    ...(cause ? { cause } : {}),
    reportedBy: hook.label,
    via: "provider" as const,
  };
  try {
    await recordReportOf({ db, projectId }, emailId, report, data);
  } catch (error) {
    // It is another project's, or was deleted.
    if (!isAppError(error) || error.code !== "NOT_FOUND") throw error;
  }
}

async function findNamed(
  ctx: { db: Database; projectId: string },
  names: readonly string[],
): Promise<string | null> {
  for (const name of names) {
    const email = name === "" ? null : await findReportedEmail(ctx, storableText(name));
    if (email !== null) return email;
  }
  return null;
}

/** Once for each email: a repeated event leaves those alone who have subscribed again. */
async function unsubscribe(
  { db, projectId }: { db: Database; projectId: string },
  emailId: string,
): Promise<void> {
  const [email] = await db
    .select({ id: emails.id })
    .from(emails)
    .where(
      and(eq(emails.projectId, projectId), eq(emails.id, emailId), isNull(emails.unsubscribedAt)),
    );
  if (email) await unsubscribeByToken(db, recipientToken(emailId));
}
