import { eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import type { ConnectionSettings } from "@/db/schema/connections";
import { sendingConnections } from "@/db/schema";
import { findNamedEmail } from "@/lib/domain/emails/message-ids";
import { decodeId } from "@/lib/ground/ids/ids";
import { unsealOrNull } from "@/lib/ground/secrets";
import { storableText } from "@/lib/ground/storable-text";
import { keepTopic } from "./connection-topic";
import { hooks } from "./hooks";
import type { HookCall, ProviderHook, ProviderReport, ReportReader } from "./provider-report";
import { isFirstUse, recordReported } from "./record";
import { openSnsMessage, type Subscriber } from "./sns-events";

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
      : await openSnsMessage(subscriberOf(db, connection), call.body);
  if (typeof opened === "string") return opened;
  const told = { db, projectId: connection.projectId, label: hook.label };
  const ofEmails = await byEmail(db, connection, hook.reports(opened.json));
  await Promise.all(
    [...ofEmails].map(async ([emailId, reports]) => {
      for (const report of reports) await recordReported(told, emailId, report);
    }),
  );
  return "taken";
}

function subscriberOf(db: Database, { id, projectId, settings }: ReportingConnection): Subscriber {
  const { region = "", topicArn = null } = settings;
  return { region, topicArn, keep: (topic) => keepTopic(db, { id, projectId }, topic) };
}

async function openSigned(
  db: Database,
  connection: ReportingConnection,
  hook: ProviderHook,
  call: HookCall,
): Promise<"forged" | { json: unknown }> {
  const { id, projectId, webhookSecretSealed } = connection;
  const route = `hooks/${id}`;
  const secret = webhookSecretSealed === null ? null : unsealOrNull(webhookSecretSealed);
  if (secret === null || !hook.proves(call, secret, Date.now() / 1000)) return "forged";
  const json = call.json();
  if (hook.nonce && !(await isFirstUse({ db, projectId, route }, hook.nonce(json), call.body))) {
    return "forged";
  }
  return { json };
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

async function findNamed(
  ctx: { db: Database; projectId: string },
  names: readonly string[],
): Promise<string | null> {
  for (const name of names) {
    const email = name === "" ? null : await findNamedEmail(ctx, storableText(name));
    if (email !== null) return email;
  }
  return null;
}
