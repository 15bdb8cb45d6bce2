import { and, asc, eq, inArray, ne } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { CampaignStatus } from "@/db/enums";
import {
  apiKeys,
  assistants,
  auditLog,
  campaigns,
  forms,
  invitations,
  memberships,
  platformTokens,
  projectDeletions,
  projects,
  reportLinks,
  webhooks,
} from "@/db/schema";
import { endSignInLinks } from "@/lib/domain/members/sign-in-links";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { askingPerson, withFreshProof } from "@/lib/domain/users/prove";
import type { ProjectDelete } from "./schema";

const underWayStatuses: CampaignStatus[] = ["SCHEDULED", "SENDING", "PAUSED"];

/** The project, locked. Throws whatever keeps it from being deleted. */
async function lockDeletable(tx: Transaction, ctx: Context, typedName: string) {
  const { projectId } = ctx;
  const [project] = await tx
    .select({ name: projects.name })
    .from(projects)
    .where(eq(projects.id, projectId))
    .for("update");
  if (!project) throw notFound();
  if (typedName.trim() !== project.name) throw invalid("name", "is not the project's name");
  // Locked, so that none of them starts in the meantime.
  const underWay = await tx
    .select({ name: campaigns.name, status: campaigns.status })
    .from(campaigns)
    .where(and(eq(campaigns.projectId, projectId), inArray(campaigns.status, underWayStatuses)))
    .orderBy(asc(campaigns.id))
    .for("update");
  const sending = underWay.find(({ status }) => status === "SENDING");
  if (sending) {
    throw new AppError(
      "CONFLICT",
      `The campaign “${sending.name}” is being sent: pause or cancel it first.`,
    );
  }
  const [another] = await tx
    .select({ id: memberships.projectId })
    .from(memberships)
    .where(
      and(
        eq(memberships.userId, askingPerson(ctx)),
        eq(memberships.role, "owner"),
        ne(memberships.projectId, projectId),
      ),
    )
    .limit(1);
  if (!another) {
    throw new AppError("CONFLICT", "This is your only project: create another one first.");
  }
  return project;
}

/** Ends all access from outside; what the project holds is deleted in the background. */
export async function closeProject(tx: Transaction, projectId: string): Promise<void> {
  // This also ends the sessions and links that came from a platform token.
  await tx.delete(platformTokens).where(eq(platformTokens.projectId, projectId));
  await tx.delete(apiKeys).where(eq(apiKeys.projectId, projectId));
  await tx.delete(assistants).where(eq(assistants.projectId, projectId));
  await tx.delete(memberships).where(eq(memberships.projectId, projectId));
  const open = await tx
    .delete(invitations)
    .where(eq(invitations.projectId, projectId))
    .returning({ id: invitations.id, email: invitations.email });
  await endSignInLinks(tx, open);
  await tx.delete(reportLinks).where(eq(reportLinks.projectId, projectId));
  await tx.update(forms).set({ open: false }).where(eq(forms.projectId, projectId));
  await tx.update(webhooks).set({ enabled: false }).where(eq(webhooks.projectId, projectId));
  await tx
    .update(campaigns)
    .set({ status: "CANCELLED" })
    .where(and(eq(campaigns.projectId, projectId), inArray(campaigns.status, underWayStatuses)));
}

/**
 * Deletes the project once its name has been typed and the owner has proven who they are: from then on nobody gets
 * in, and jobs delete its content (lib/engine/jobs/delete-projects.ts). Needs owner. Throws CONFLICT while one of
 * its campaigns is being sent, and for the person's only project.
 */
export async function deleteProject(ctx: Context, input: ProjectDelete): Promise<void> {
  requireRole(ctx, "owner");
  const { projectId, actor, origin, requestId } = ctx;
  const { name: typedName, ...proof } = input;
  await withFreshProof(
    ctx,
    proof,
    (tx) => lockDeletable(tx, ctx, typedName),
    async (tx, { name }) => {
      await tx.insert(projectDeletions).values({ projectId });
      await closeProject(tx, projectId);
      // Not logged under any project, since the project's own log is deleted with it.
      await tx.insert(auditLog).values({
        id: newId(projectId),
        actorType: actor.type,
        actorId: actor.id,
        action: "delete.project",
        target: encodeId("project", projectId),
        details: { name },
        address: origin?.address ?? null,
        userAgent: origin?.userAgent ?? null,
        requestId,
      });
    },
  );
  log.info({ projectId, userId: actor.id, requestId }, "A project was deleted.");
}
