import type { Metadata } from "next";
import { InvitationAnswer } from "@/components/members/invitation-answer";
import { QuietPage } from "@/components/shell/plain-page";
import { LinkButton } from "@/components/ui/button";
import { findOwnInvitations } from "@/lib/doors/http/sign-in/invitations";
import { t } from "@/lib/ground/texts/t";
import { dashboardSession } from "../../session";

export function generateMetadata(): Metadata {
  return { title: t("Invitation"), referrer: "no-referrer" };
}

/** Where the mail of an invitation leads somebody who is signed in. Opening it answers nothing. */
export default async function JoinPage({ params }: { params: Promise<{ invitation: string }> }) {
  const { invitation: id } = await params;
  const session = await dashboardSession(`/dashboard/join/${encodeURIComponent(id)}`);
  const invitations = await findOwnInvitations(session);
  const invitation = invitations.find((one) => one.id === id);
  if (!invitation) {
    return (
      <QuietPage
        title={t("No such invitation")}
        lead={t(
          "It was answered or withdrawn, has expired, or is not for {email}. If it is for another address of yours, sign in with that one.",
          { email: session.user.email },
        )}
      >
        <LinkButton href="/dashboard">{t("Go to the dashboard")}</LinkButton>
      </QuietPage>
    );
  }
  return (
    <QuietPage title={t("Join {name}?", { name: invitation.name })}>
      <InvitationAnswer invitation={invitation} />
    </QuietPage>
  );
}
