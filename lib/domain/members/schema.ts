import { z } from "zod";
import { roleNames, type Role } from "@/db/enums";
import { userEmail } from "@/lib/domain/users/schema";

/** The most people that a project has asked and that have not answered yet. */
export const mostInvitations = 100;
export const invitationDays = 7;

const role = z.enum(roleNames);

export const member = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role,
    twoStep: z.boolean().meta({ description: "An authenticator app is part of their sign-in." }),
    you: z.boolean().meta({ description: "Whoever is asking." }),
    joinedAt: z.iso.datetime(),
    lastSeenAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "To five minutes; null: not in the last 30 days." }),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof member>;

export const invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role,
    invitedBy: z
      .string()
      .nullable()
      .meta({ description: "Their address; null once they have gone." }),
    url: z.string().meta({
      description:
        "Where the person answers. It signs nobody in: they first have to sign in with that address.",
    }),
    expired: z.boolean(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof invitation>;

export const memberList = z
  .object({
    data: z.array(member),
    invitations: z
      .array(invitation)
      .meta({ description: "Those not answered yet; empty for who may not invite." }),
  })
  .meta({ id: "Members" });
export type MemberList = z.infer<typeof memberList>;

export const invitationInput = z.strictObject({ email: userEmail, role });
export type InvitationInput = z.infer<typeof invitationInput>;

export const sentInvitation = z
  .object({
    invitation,
    mailed: z.boolean().meta({
      description: "Whether a mail with the link could be handed over; if not, pass the link on.",
    }),
  })
  .meta({ id: "SentInvitation" });
export type SentInvitation = z.infer<typeof sentInvitation>;

export const memberUpdate = z.strictObject({ role });
export type MemberUpdate = z.infer<typeof memberUpdate>;

/** An invitation as the person sees it whom it is for. */
export interface OwnInvitation {
  id: string;
  /** Of the project. */
  name: string;
  role: Role;
  /** Address; null once they have gone. */
  invitedBy: string | null;
}
