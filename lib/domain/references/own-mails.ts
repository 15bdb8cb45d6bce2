import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { forms, lists } from "@/db/schema";
import { AppError } from "@/lib/ground/errors";

/** A list or form whose mails are written with a template. */
export interface UsedIn extends Record<string, unknown> {
  place: "list" | "form";
  name: string;
  /** It asks people to confirm with it. */
  confirms: boolean;
}

/** Where a template (uuid) is used, confirmations first; null: nowhere. The caller locks its row. */
export async function findOwnMail(
  executor: Executor,
  projectId: string,
  templateId: string,
): Promise<UsedIn | null> {
  const [used] = await executor.execute<UsedIn>(sql`
    select 'list' as place, ${lists.name},
      ${lists.confirmationTemplateId} is not distinct from ${templateId} as confirms
    from ${lists}
    where ${lists.projectId} = ${projectId}
      and (${lists.confirmationTemplateId} = ${templateId} or ${lists.welcomeTemplateId} = ${templateId})
    union all
    select 'form', ${forms.name}, true from ${forms}
    where ${forms.projectId} = ${projectId} and ${forms.confirmationTemplateId} = ${templateId}
    order by 3 desc, 1 desc, 2 limit 1`);
  return used ?? null;
}

/** Throws CONFLICT while a list or form writes its mails with the template (uuid). */
export async function refuseWhileInOwnMail(
  executor: Executor,
  projectId: string,
  templateId: string,
): Promise<void> {
  const used = await findOwnMail(executor, projectId, templateId);
  if (!used) return;
  const { place, name, confirms } = used;
  throw new AppError(
    "CONFLICT",
    `The ${place} "${name}" uses the template for its ${confirms ? "confirmation" : "welcome"} mail: choose another there first.`,
  );
}
