import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { DeadLink } from "@/components/sign-in/dead-link";
import { NewPasswordForm } from "@/components/sign-in/new-password-form";
import { findLink } from "@/lib/doors/http/sign-in/dashboard-session";

export const metadata: Metadata = { title: "Set a password", referrer: "no-referrer" };

export default async function ResetPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const link = await findLink(token, "password_reset");
  if (!link) return <DeadLink />;
  return (
    <QuietPage
      title="Set a password"
      lead={`For ${link.email}. This signs you out on all devices.`}
    >
      <NewPasswordForm token={token} purpose="password_reset" />
    </QuietPage>
  );
}
