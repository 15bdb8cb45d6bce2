import { database } from "@/db/client";
import { getConfirmation } from "@/lib/domain/opt-outs/double-opt-in";
import { getPreferences } from "@/lib/domain/opt-outs/preferences";
import type { Confirmation, Preferences } from "@/lib/domain/opt-outs/schema";

/** For the preferences page; `deleted`: the person was deleted; null: the token is not valid. */
export function findPreferences(token: string): Promise<Preferences | "deleted" | null> {
  return getPreferences(database(), token);
}

/** For the page that asks for confirmation; null: the token is not valid. */
export function findConfirmation(token: string): Promise<Confirmation | null> {
  return getConfirmation(database(), token);
}
