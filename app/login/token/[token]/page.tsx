import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { DeadLink } from "@/components/sign-in/dead-link";
import { LinkSignInButton } from "@/components/sign-in/link-button";
import { findLink } from "@/lib/doors/http/sign-in/dashboard-session";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";

export function generateMetadata(): Metadata {
  return { title: t("Sign in"), referrer: "no-referrer" };
}

/** Opening it changes nothing, because mail scanners open links before people do. */
export default async function LoginLinkPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const link = await findLink(token, "login");
  if (!link) return <DeadLink />;
  return (
    <QuietPage
      title={t("Welcome")}
      lead={rich("You are about to sign in as {email}. The link works once.", {
        email: <strong className="font-medium">{link.email}</strong>,
      })}
    >
      <LinkSignInButton
        token={token}
        purpose="login"
        to={link.redirectTo ?? "/dashboard"}
        label={t("Sign in")}
      />
    </QuietPage>
  );
}
