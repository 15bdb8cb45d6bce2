import type { Role } from "@/db/enums";
import { phrases } from "@/lib/ground/texts/t";

/** What each role may do, in a sentence for those who choose one. */
export const roleWords: Record<Role, string> = phrases({
  viewer: "Reads everything, changes nothing.",
  editor: "Writes to people: contacts, lists, templates, campaigns.",
  admin: "Sets up domains, keys, webhooks and connections as well, and invites people.",
  owner: "May do everything, up to deleting the project.",
});
