import { database } from "@/db/client";
import { getConfirmation } from "@/lib/preferences/confirmation";
import { getPreferences } from "@/lib/preferences/preferences";
import type { Confirmation, Preferences } from "@/lib/preferences/schema";

/** For the page of a link in mail; `deleted`: the person was; null: the token is not ours. */
export function findPreferences(token: string): Promise<Preferences | "deleted" | null> {
  return getPreferences(database(), token);
}

/** For the page that asks to confirm; null: the token is not ours. */
export function findConfirmation(token: string): Promise<Confirmation | null> {
  return getConfirmation(database(), token);
}
