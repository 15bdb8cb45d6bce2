import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { NewAccountForm } from "@/components/sign-in/new-account-form";
import { LinkButton } from "@/components/ui/button";
import { findSignUpLink } from "@/lib/doors/http/sign-in/sign-up";
import { signUpIsOpen } from "@/lib/domain/projects/sign-up";

export const metadata: Metadata = { title: "Make an account", referrer: "no-referrer" };

export default async function NewAccountPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const email = await findSignUpLink(token);
  if (email === null) {
    return (
      <QuietPage
        title="This link no longer works"
        lead="It has already been used or has expired. If you have made your account, sign in with it."
      >
        <div className="flex flex-wrap gap-2">
          <LinkButton href="/sign-in" variant="primary">
            Sign in
          </LinkButton>
          {signUpIsOpen() && <LinkButton href="/sign-up">Request a new one</LinkButton>}
        </div>
      </QuietPage>
    );
  }
  return (
    <QuietPage title="Make your account" lead={`For ${email}.`}>
      <NewAccountForm token={token} />
    </QuietPage>
  );
}
