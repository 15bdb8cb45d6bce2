import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { LinkSignInButton } from "@/components/sign-in/link-button";
import { DeadLink } from "@/components/sign-in/dead-link";
import { NewPasswordForm } from "@/components/sign-in/new-password-form";
import { Or } from "@/components/sign-in/or";
import { ProviderSignIn } from "@/components/sign-in/provider-sign-in";
import { findProviderName } from "@/lib/domain/users/identity-provider";
import { signsInAtProviderOnly } from "@/lib/domain/users/own-ways";
import { findLink } from "@/lib/doors/http/sign-in/dashboard-session";
import { t } from "@/lib/ground/texts/t";

export function generateMetadata(): Metadata {
  return { title: t("Accept the invitation"), referrer: "no-referrer" };
}

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const link = await findLink(token, "invitation");
  if (!link) return <DeadLink />;
  const to = link.redirectTo ?? "/dashboard";
  const provider = findProviderName();
  if (provider !== null && signsInAtProviderOnly(link.email)) {
    return (
      <QuietPage
        title={t("You have been invited")}
        lead={t("Sign in with {provider} as {email}.", { provider, email: link.email })}
      >
        <ProviderSignIn provider={provider} to={to} />
      </QuietPage>
    );
  }
  return (
    <QuietPage
      title={t("You have been invited")}
      lead={t("Choose a password for {email}, or continue without one.", { email: link.email })}
    >
      <NewPasswordForm token={token} purpose="invitation" />
      <Or />
      <LinkSignInButton
        token={token}
        purpose="invitation"
        to={to}
        label={t("Accept without setting a password")}
        variant="secondary"
      />
    </QuietPage>
  );
}
