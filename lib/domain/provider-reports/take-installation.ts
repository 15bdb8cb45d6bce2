import { inArray } from "drizzle-orm";
import type { Database } from "@/db/client";
import { emails } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { parseProvider, type ProviderSettings } from "@/lib/ground/providers/settings";
import { readHandedToken } from "@/lib/mail/tracking/tokens";
import { hooks } from "./hooks";
import type { HookCall, ProviderHook, ProviderReport } from "./provider-report";
import { isFirstUse, recordReported } from "./record";
import { openSnsMessage } from "./sns-events";

const route = "hooks/installation";

/** Whether the installation's mail goes to a provider whose reports can be proved. */
export function hasInstallationHook(): boolean {
  const { MAIL_TRANSPORT, MAIL_TRANSPORT_WEBHOOK_SECRET: secret } = env();
  const settings = parseProvider(MAIL_TRANSPORT);
  if (settings === null) return false;
  return settings.kind === "ses" ? settings.topicArn !== null : secret !== undefined;
}

/**
 * Records what the installation's provider reports of any project's mail, if that went through it: only a token that
 * we handed over with the mail names an email. Outcomes as of takeProviderReports.
 */
export async function takeInstallationReports(
  db: Database,
  call: HookCall,
): Promise<"taken" | "forged" | "foreign"> {
  const settings = parseProvider(env().MAIL_TRANSPORT);
  if (settings === null) return "forged";
  const { reports, label } = hooks[settings.kind];
  const opened = await open(settings, call);
  if (typeof opened === "string") return opened;
  const { json, nonce } = opened;
  const handed = await findHanded(db, reports(json));
  if (nonce) {
    // A provider that signs no body reports one email at a time.
    for (const { projectId } of handed) {
      if (!(await isFirstUse({ db, projectId, route }, nonce, call.body))) return "forged";
    }
  }
  await Promise.all(
    handed.map(async ({ id, projectId, told }) => {
      for (const report of told) await recordReported({ db, projectId, label }, id, report);
    }),
  );
  return "taken";
}

type Opened = { json: unknown; nonce?: string };

async function open(
  settings: ProviderSettings,
  call: HookCall,
): Promise<Opened | "taken" | "forged" | "foreign"> {
  if (settings.kind === "ses") {
    const { region, topicArn } = settings;
    if (topicArn === null) return "forged";
    return openSnsMessage({ region, topicArn, keep: () => Promise.resolve(true) }, call.body);
  }
  const hook: ProviderHook = hooks[settings.kind];
  const secret = env().MAIL_TRANSPORT_WEBHOOK_SECRET;
  if (secret === undefined || !hook.proves(call, secret, Date.now() / 1000)) return "forged";
  const json = call.json();
  return hook.nonce ? { json, nonce: hook.nonce(json) } : { json };
}

/** An email that went through the installation's provider, and what is said of it, in its order. */
interface Handed {
  /** uuid */
  id: string;
  projectId: string;
  told: ProviderReport[];
}

async function findHanded(db: Database, reports: readonly ProviderReport[]): Promise<Handed[]> {
  const ofEmails = Map.groupBy(reports, ({ names }) =>
    names.map(readHandedToken).find((id) => id !== null),
  );
  const ids = [...ofEmails.keys()].filter((id) => id !== undefined);
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: emails.id, projectId: emails.projectId })
    .from(emails)
    .where(inArray(emails.id, ids));
  return rows.map((row) => ({ ...row, told: ofEmails.get(row.id) ?? [] }));
}
