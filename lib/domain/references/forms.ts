import { asc, eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { forms } from "@/db/schema";
import { AppError } from "@/lib/ground/errors";

/** Throws CONFLICT while people can sign up for the list (uuid) with a form. The caller locks the list's row. */
export async function refuseWhileInForm(executor: Executor, listId: string): Promise<void> {
  const [form] = await executor
    .select({ name: forms.name })
    .from(forms)
    .where(eq(forms.listId, listId))
    .orderBy(asc(forms.id))
    .limit(1);
  if (form) {
    throw new AppError(
      "CONFLICT",
      `People sign up for the list with the form "${form.name}": delete it first, or give it another list.`,
    );
  }
}
