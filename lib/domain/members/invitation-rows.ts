import type { invitations } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import type { Invitation } from "./schema";

interface Row {
  invitation: typeof invitations.$inferSelect;
  /** Address. */
  invitedBy: string | null;
}

/** Where the person answers, once signed in. */
export const answerPath = (uuid: string) => `/dashboard/join/${encodeId("invitation", uuid)}`;

/** The resource of a stored invitation. */
export function toInvitation({ invitation, invitedBy }: Row): Invitation {
  const { id, email, role, createdAt, expiresAt } = invitation;
  return {
    id: encodeId("invitation", id),
    email,
    role,
    invitedBy,
    url: `${env().APP_URL}${answerPath(id)}`,
    expired: expiresAt.getTime() <= Date.now(),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
