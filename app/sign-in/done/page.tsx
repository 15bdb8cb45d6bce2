import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { QuietPage } from "@/components/shell/plain-page";
import { LinkButton } from "@/components/ui/button";
import { findDashboardSession } from "@/lib/doors/http/sign-in/dashboard-session";
import { t } from "@/lib/ground/texts/t";

export function generateMetadata(): Metadata {
  return { title: t("Signed in") };
}

/** Where signing in leads for a page that waits in another tab. */
export default async function SignedInPage() {
  if (!(await findDashboardSession(await headers()))) redirect("/sign-in?to=/sign-in/done");
  return (
    <QuietPage
      title={t("You are signed in")}
      lead={t("Close this tab and go back to the one you were writing in. It goes on by itself.")}
    >
      <LinkButton href="/dashboard">{t("Go to your projects instead")}</LinkButton>
    </QuietPage>
  );
}
