import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { QuietPage } from "@/components/shell/plain-page";
import { SignUpForm } from "@/components/sign-in/sign-up-form";
import { Link } from "@/components/ui/link";
import { findDashboardSession } from "@/lib/doors/http/sign-in/dashboard-session";
import { signUpIsOpen } from "@/lib/domain/projects/sign-up";
import { t } from "@/lib/ground/texts/t";

export function generateMetadata(): Metadata {
  return { title: t("Make an account") };
}

export default async function SignUpPage() {
  if (await findDashboardSession(await headers())) redirect("/dashboard");
  const open = signUpIsOpen();
  return (
    <QuietPage
      title={open ? t("Make an account") : t("By invitation")}
      lead={
        open
          ? t("We mail you a link. Behind it you choose a password.")
          : t(
              "Accounts are made by invitation here. Ask whoever runs this installation, usually your company’s IT, to invite your address.",
            )
      }
      foot={
        <Link href="/sign-in" className="underline underline-offset-4 hover:text-accent-ink">
          {t("Back to sign-in")}
        </Link>
      }
    >
      {open && <SignUpForm />}
    </QuietPage>
  );
}
