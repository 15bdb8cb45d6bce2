import { and, eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { domains } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { invalid } from "@/lib/ground/errors";
import { domainOf } from "@/lib/mail/address";

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
