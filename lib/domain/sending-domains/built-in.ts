import { eq, sql } from "drizzle-orm";
import type { Database, Executor } from "@/db/client";
import { domains, installation } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { env } from "@/lib/ground/env/env";
import { createDkimKey, type DkimKey } from "./dkim-keys";

/** Works without DNS wherever mail is captured instead of sent; RFC 2606 keeps .test out of the real DNS. */
export const builtInDomain = "sandbox.test";

const installationKey = "built-in-dkim-key";

/** The installation's one key for its built-in domains: made once, whoever comes first. */
async function installationDkimKey(executor: Executor): Promise<DkimKey> {
  const read = async () => {
    const [row] = await executor
      .select({ value: installation.value })
      .from(installation)
      .where(eq(installation.key, installationKey));
    return row ? (JSON.parse(row.value) as DkimKey) : null;
  };
  const known = await read();
  if (known) return known;
  await executor
    .insert(installation)
    .values({ key: installationKey, value: JSON.stringify(await createDkimKey()) })
    .onConflictDoNothing();
  const made = await read();
  if (!made) throw new Error("The built-in domain's key was not kept.");
  return made;
}

/** Gives the project its verified `sandbox.test` while the transport is `capture`; else does nothing. */
export async function ensureBuiltInDomain(executor: Executor, projectId: string): Promise<void> {
  if (env().MAIL_TRANSPORT !== "capture") return;
  await executor
    .insert(domains)
    .values({
      projectId,
      name: builtInDomain,
      status: "VERIFIED",
      builtIn: true,
      verifiedAt: now,
      ...(await installationDkimKey(executor)),
    })
    .onConflictDoNothing({ target: [domains.projectId, domains.name] });
}

/**
 * Puts every built-in domain into the state the transport asks for: verified under `capture`, and
 * nothing that could send under any other, also after the installation changed over.
 */
export async function alignBuiltInDomains(db: Database): Promise<void> {
  const status = env().MAIL_TRANSPORT === "capture" ? "VERIFIED" : "PENDING";
  await db.execute(sql`
    update domains set status = ${status},
      verified_at = case when ${status} = 'VERIFIED' then app_now() end
    where built_in and status <> ${status}`);
}
