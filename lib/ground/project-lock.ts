import { eq } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { projects } from "@/db/schema";

/**
 * Makes those that count a project's rows against a limit and then add one take turns: all at once, each
 * would count without the others. The lock ends with the transaction; other work in the project goes on.
 */
export async function lockProject(tx: Transaction, projectId: string): Promise<void> {
  await tx
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.id, projectId))
    .for("no key update");
}
