import { database } from "@/db/client";
import { getConfirmation } from "@/lib/domain/opt-outs/confirmation";
import { getPreferences } from "@/lib/domain/opt-outs/preferences";
import type { Confirmation, Preferences } from "@/lib/domain/opt-outs/schema";

/** For the page of a link in mail; `deleted`: the person was; null: the token is not ours. */
export function findPreferences(token: string): Promise<Preferences | "deleted" | null> {
  return getPreferences(database(), token);
}

/** For the page that asks to confirm; null: the token is not ours. */
export function findConfirmation(token: string): Promise<Confirmation | null> {
  return getConfirmation(database(), token);
}
