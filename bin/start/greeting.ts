import { asc, eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { memberships, users } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { labelOf, parseProvider } from "@/lib/ground/providers/settings";
import { encodeId } from "@/lib/ground/ids/ids";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import { auditUser } from "@/lib/domain/users/audit";
import { createLoginToken } from "@/lib/domain/users/login-tokens";
import { isMx } from "@/lib/mail/smtp-server-url";
import { bold } from "./terminal";

/** The first start's link may be read later: what is printed stays on the screen. */
const firstLinkSeconds = 60 * 60;

export interface Welcome {
  loginUrl: string;
  email: string;
  /** Wire id. */
  projectId: string;
  /** Only on the first start: it is stored as a hash, so it cannot be shown again. */
  apiKey: string | null;
}

/** Creates the first user and project on the first start; later, a new link for the oldest owner. */
export async function welcome(db: Database): Promise<Welcome> {
  const [owner] = await db
    .select({ userId: users.id, email: users.email, projectId: memberships.projectId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.role, "owner"))
    .orderBy(asc(memberships.projectId))
    .limit(1);
  if (!owner) {
    const email = env().OWNER_EMAIL;
    const access = await bootstrap(db, { email, linkLifeSeconds: firstLinkSeconds });
    return { loginUrl: access.loginUrl, email, projectId: access.projectId, apiKey: access.apiKey };
  }
  const projectId = encodeId("project", owner.projectId);
  const { url } = await createLoginToken(db, {
    userId: owner.userId,
    purpose: "login",
    redirectTo: `/dashboard/${projectId}`,
  });
  await auditUser(db, owner.userId, {
    action: "create.loginToken",
    actor: { type: "system", id: null },
    details: {},
    requestId: "system",
  });
  return { loginUrl: url, email: owner.email, projectId, apiKey: null };
}

/** The curl line of a first email; with a key in it, it works as pasted. */
function curlLine(apiKey: string): string {
  const body = {
    from: "hello@sandbox.test",
    to: "you@example.com",
    subject: "Hello from Lettermill",
    body: "<p>It works.</p>",
  };
  return `curl -X POST ${env().APP_URL}/v1/send -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}

function destinationOf(transport: string): string {
  const provider = parseProvider(transport);
  if (provider) return labelOf(provider);
  if (!isMx(transport)) return "your SMTP server";
  return `its receivers' own servers, as ${env().MAIL_HOSTNAME} (port 25 has to lead out)`;
}

/** What the terminal shows once everything runs. `served`: where each program says it listens. */
export function greeting(welcome: Welcome, served: { name: string; text: string }[]): string {
  const { APP_URL, MAIL_TRANSPORT } = env();
  const captured = MAIL_TRANSPORT === "capture";
  const mailbox = `${APP_URL}/dashboard/${welcome.projectId}/captured`;
  const smtp = served.find(({ name }) => name === "smtp")?.text ?? "";
  const at = (server: string) => new RegExp(`(\\S+) \\(${server}\\)`).exec(smtp)?.[1] ?? "";
  const newKey = "npm run -s lettermill -- key create";
  const rows: [string, string][] = [
    ["Dashboard", APP_URL],
    ["Sign in", `${welcome.loginUrl}\n${" ".repeat(17)}(works once, for ${welcome.email})`],
    ["API key", welcome.apiKey ?? `was shown on the first start; a new one: ${newKey}`],
    ["Mail goes to", captured ? `the captured mailbox, ${mailbox}` : destinationOf(MAIL_TRANSPORT)],
    ["SMTP relay", at("relay")],
    ["Inbound mail", at("inbound")],
  ];
  const table = rows
    .filter(([, text]) => text !== "")
    .map(([label, text]) => `  ${label.padEnd(13)}  ${text}`)
    .join("\n");
  const curl =
    captured && welcome.apiKey ? `\n\n  A first email:\n\n${curlLine(welcome.apiKey)}` : "";
  return `\n${bold("Lettermill is running.")} Ctrl-C stops it.\n\n${table}${curl}\n\n`;
}
