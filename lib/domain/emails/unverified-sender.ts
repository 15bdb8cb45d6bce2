import { and, eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { domains } from "@/db/schema";
import { AppError } from "@/lib/ground/errors";

/** DOMAIN_NOT_VERIFIED that says what is missing, and where to fix it. `path`: the sender's, in the body. */
export async function unverifiedSender(
  executor: Executor,
  projectId: string,
  name: string,
  path: string,
): Promise<AppError> {
  const [domain] = await executor
    .select({ status: domains.status })
    .from(domains)
    .where(and(eq(domains.projectId, projectId), eq(domains.name, name)));
  const message = domain
    ? `the sender domain ${name} is not verified in this project (its status is ${domain.status}): publish its DNS records and verify it, under Domains or with POST /v1/domains/{id}/verify`
    : `the sender domain ${name} is not verified in this project, which does not have it: add it under Domains or with POST /v1/domains`;
  return new AppError("DOMAIN_NOT_VERIFIED", `${path}: ${message}.`, [{ path, message }]);
}
