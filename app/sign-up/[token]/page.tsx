import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { NewAccountForm } from "@/components/sign-in/new-account-form";
import { LinkButton } from "@/components/ui/button";
import { findSignUpLink } from "@/lib/doors/http/sign-in/sign-up";
import { signUpIsOpen } from "@/lib/domain/projects/sign-up";
import { t } from "@/lib/ground/texts/t";

export function generateMetadata(): Metadata {
  return { title: t("Make an account"), referrer: "no-referrer" };
}

export default async function NewAccountPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const email = await findSignUpLink(token);
  if (email === null) {
    return (
      <QuietPage
        title={t("This link no longer works")}
        lead={t(
          "It has already been used or has expired. If you have made your account, sign in with it.",
        )}
      >
        <div className="flex flex-wrap gap-2">
          <LinkButton href="/sign-in" variant="primary">
            {t("Sign in")}
          </LinkButton>
          {signUpIsOpen() && <LinkButton href="/sign-up">{t("Request a new one")}</LinkButton>}
        </div>
      </QuietPage>
    );
  }
  return (
    <QuietPage title={t("Make your account")} lead={t("For {email}.", { email })}>
      <NewAccountForm token={token} />
    </QuietPage>
  );
}
