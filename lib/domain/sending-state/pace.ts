import { eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { projectPaces } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireLive, requireRole, type Context } from "@/lib/ground/context";
import { announce } from "@/lib/ground/queue/announce";
import { setPace } from "@/lib/ground/queue/project-pace";
import type { CampaignPace } from "./schema";

/** How many emails an hour the project's campaigns may send; null: as many as possible. */
export async function findCampaignPace(
  executor: Executor,
  projectId: string,
): Promise<number | null> {
  const [row] = await executor
    .select({ perHour: projectPaces.perHour })
    .from(projectPaces)
    .where(eq(projectPaces.projectId, projectId));
  return row?.perHour ?? null;
}

/** Sets the pace of the project's campaigns, starting with any worker's next claim. Needs admin, and no test key. */
export async function setCampaignPace(
  ctx: Context,
  { emailsPerHour }: CampaignPace,
): Promise<CampaignPace> {
  requireRole(ctx, "admin");
  requireLive(ctx);
  await ctx.db.transaction(async (tx) => {
    if (emailsPerHour === null) {
      await tx.delete(projectPaces).where(eq(projectPaces.projectId, ctx.projectId));
    } else {
      await tx.execute(setPace(ctx.projectId, emailsPerHour));
    }
    await audit(tx, ctx, "update.pace", null, { emailsPerHour });
  });
  announce(ctx.db, "emails_due");
  return { emailsPerHour };
}

/** The pace of the project's campaigns. Needs viewer. */
export async function getCampaignPace(ctx: Context): Promise<CampaignPace> {
  requireRole(ctx, "viewer");
  return { emailsPerHour: await findCampaignPace(ctx.db, ctx.projectId) };
}
