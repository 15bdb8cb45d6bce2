import type { Role } from "@/db/enums";
import { phrases } from "@/lib/ground/texts/t";

/** The roles' names, as in the middle of a sentence. */
export const roleLabels: Record<Role, string> = phrases({
  viewer: "viewer",
  editor: "editor",
  admin: "admin",
  owner: "owner",
});
