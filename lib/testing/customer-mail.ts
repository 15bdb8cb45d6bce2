import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import type { DomainStatus } from "@/db/enums";
import { domains } from "@/db/schema";
import { createDomain, updateDomain } from "@/lib/domain/sending-domains/domains";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { SmtpClient } from "@/lib/testing/smtp-client";

/** A project with a domain that takes mail, unless told otherwise. */
export async function makeMailbox(
  db: Database,
  state: { status?: DomainStatus; inbound?: boolean } = {},
) {
  const { ctx, projectId } = await makeProject(db);
  const name = `shop-${randomBytes(5).toString("hex")}.example`;
  const { id } = await createDomain(ctx, { name });
  await updateDomain(ctx, id, { inbound: state.inbound ?? true });
  await db
    .update(domains)
    .set({ status: state.status ?? "VERIFIED" })
    .where(eq(domains.id, decodeId("domain", id) ?? ""));
  return { ctx, projectId, name, address: `support@${name}` };
}

interface Letter {
  to: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A mail from Ada as her mail program writes it. */
export function letter({ to, headers = {}, body = "Where is it?" }: Letter): string {
  const fields = {
    From: "Ada Lovelace <ada@writer.example>",
    To: to,
    Subject: "Your order",
    "Message-ID": `<${randomBytes(8).toString("hex")}@writer.example>`,
    Date: "Sat, 21 Nov 2026 09:30:00 +0000",
    ...headers,
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** Delivers a mail to a port as another mail server does; resolves to the server's last answer. */
export async function deliverTo(
  port: number,
  message: string,
  to: string | string[],
  from = "ada@writer.example",
) {
  const client = await SmtpClient.open(port);
  await client.say("EHLO mx.writer.example");
  const answer = await client.send(message, [to].flat(), from);
  client.end();
  return answer;
}
