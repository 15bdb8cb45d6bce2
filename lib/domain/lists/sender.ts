import { and, eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { domains } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { invalid } from "@/lib/ground/errors";
import { domainOf, normalizeAddress } from "@/lib/mail/address";

/** A list's sender as mail and domains have addresses. Lists of earlier versions keep it as it was written. */
export const senderAddress = (fromEmail: string) => normalizeAddress(fromEmail) ?? fromEmail;

/**
 * The verified domain that signs mail of this sender: its own, else the project's (uuid) oldest, the built-in one
 * last; null: the project has none.
 */
export async function findSigningDomain(tx: Executor, projectId: string, fromEmail: string) {
  const own = domainOf(senderAddress(fromEmail));
  const [domain] = await tx
    .select({
      domain: domains.name,
      trackingHost: sql<
        string | null
      >`case when ${domains.trackingSince} is not null then ${domains.trackingHost} end`,
    })
    .from(domains)
    .where(sql`${domains.projectId} = ${projectId} and ${domains.status} = 'VERIFIED'`)
    .orderBy(sql`${domains.name} = ${own} desc, ${domains.builtIn}, ${domains.id}`)
    .limit(1);
  return domain ?? { domain: null, trackingHost: null };
}

/**
 * Throws VALIDATION_ERROR when a person chooses a sender that mail cannot come from. Programs create their lists
 * and domains in any order: the list then says that its sender is not verified.
 */
export async function checkSender(tx: Executor, ctx: Context, fromEmail: string): Promise<void> {
  if (!ctx.session) return;
  const name = domainOf(fromEmail);
  const [domain] = await tx
    .select({ status: domains.status })
    .from(domains)
    .where(and(eq(domains.projectId, ctx.projectId), eq(domains.name, name)));
  if (domain?.status === "VERIFIED") return;
  const fault = domain
    ? `is at ${name}, which is not verified: verify it under Domains first`
    : `is at ${name}, which is not a domain of this project: add and verify it under Domains first`;
  throw invalid("fromEmail", fault);
}
