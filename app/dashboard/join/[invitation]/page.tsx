import type { Metadata } from "next";
import { InvitationAnswer } from "@/components/members/invitation-answer";
import { QuietPage } from "@/components/shell/plain-page";
import { LinkButton } from "@/components/ui/button";
import { findOwnInvitations } from "@/lib/doors/http/sign-in/invitations";
import { dashboardSession } from "../../session";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

/** Where the mail of an invitation leads somebody who is signed in. Opening it answers nothing. */
export default async function JoinPage({ params }: { params: Promise<{ invitation: string }> }) {
  const { invitation: id } = await params;
  const session = await dashboardSession(`/dashboard/join/${encodeURIComponent(id)}`);
  const invitations = await findOwnInvitations(session);
  const invitation = invitations.find((one) => one.id === id);
  if (!invitation) {
    return (
      <QuietPage
        title="No such invitation"
        lead={`It was answered or withdrawn, has expired, or is not for ${session.user.email}. If it is for another address of yours, sign in with that one.`}
      >
        <LinkButton href="/dashboard">Go to the dashboard</LinkButton>
      </QuietPage>
    );
  }
  return (
    <QuietPage title={`Join ${invitation.name}?`}>
      <InvitationAnswer invitation={invitation} />
    </QuietPage>
  );
}
