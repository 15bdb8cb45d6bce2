import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { DeadLink } from "@/components/sign-in/dead-link";
import { NewPasswordForm } from "@/components/sign-in/new-password-form";
import { findLink } from "@/lib/doors/http/sign-in/dashboard-session";
import { t } from "@/lib/ground/texts/t";

export function generateMetadata(): Metadata {
  return { title: t("Set a password"), referrer: "no-referrer" };
}

export default async function ResetPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const link = await findLink(token, "password_reset");
  if (!link) return <DeadLink />;
  return (
    <QuietPage
      title={t("Set a password")}
      lead={t("For {email}. This signs you out on all devices.", { email: link.email })}
    >
      <NewPasswordForm token={token} purpose="password_reset" />
    </QuietPage>
  );
}
