import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { LinkSignInButton } from "@/components/sign-in/link-button";
import { DeadLink } from "@/components/sign-in/dead-link";
import { NewPasswordForm } from "@/components/sign-in/new-password-form";
import { findLink } from "@/lib/doors/http/sign-in/dashboard-session";

export const metadata: Metadata = { title: "Accept the invitation", referrer: "no-referrer" };

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const link = await findLink(token, "invitation");
  if (!link) return <DeadLink />;
  return (
    <QuietPage
      title="You have been invited"
      lead={`Choose a password for ${link.email}, or continue without one.`}
    >
      <NewPasswordForm token={token} purpose="invitation" />
      <div className="my-5 flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-rule after:h-px after:flex-1 after:bg-rule">
        or
      </div>
      <LinkSignInButton
        token={token}
        purpose="invitation"
        to="/dashboard"
        label="Accept without setting a password"
        variant="secondary"
      />
    </QuietPage>
  );
}
