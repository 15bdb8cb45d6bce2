import { and, eq, ne } from "drizzle-orm";
import type { Database, Executor } from "@/db/client";
import { domains, installation } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { env } from "@/lib/ground/env/env";
import { newId } from "@/lib/ground/ids/ids";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { createDkimKey, type DkimKey } from "./dkim-keys";

/** Works without DNS wherever mail is captured instead of sent; RFC 2606 keeps .test out of the real DNS. */
export const builtInDomain = "sandbox.test";

const installationKey = "built-in-dkim-key";

/** The installation's one key for its built-in domains: made once, by whichever process comes first. */
async function installationDkimKey(executor: Executor): Promise<DkimKey> {
  const read = async () => {
    const [row] = await executor
      .select({ value: installation.value })
      .from(installation)
      .where(eq(installation.key, installationKey));
    return row ? (JSON.parse(row.value) as DkimKey) : null;
  };
  const present = await read();
  if (present) return present;
  await executor
    .insert(installation)
    .values({ key: installationKey, value: JSON.stringify(await createDkimKey()) })
    .onConflictDoNothing();
  const kept = await read();
  if (!kept) throw new Error("The built-in domain's key was not kept.");
  return kept;
}

/** Gives the project its verified `sandbox.test` while the transport is `capture`; otherwise does nothing. */
export async function ensureBuiltInDomain(executor: Executor, projectId: string): Promise<void> {
  if (env().MAIL_TRANSPORT !== "capture") return;
  await executor
    .insert(domains)
    .values({
      id: newId(projectId),
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
 * unable to send under any other, even after the installation changed over.
 */
export async function alignBuiltInDomains(db: Database): Promise<void> {
  const status = env().MAIL_TRANSPORT === "capture" ? "VERIFIED" : "PENDING";
  await db
    .update(domains)
    .set({ status, verifiedAt: status === "VERIFIED" ? now : null })
    .where(
      and(eq(domains.builtIn, true), ne(domains.status, status), worksHere(domains.projectId)),
    );
}
