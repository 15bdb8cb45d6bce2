import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { QuietPage } from "@/components/shell/plain-page";
import { CodeForm } from "@/components/sign-in/code-form";
import { findDashboardSession } from "@/lib/doors/http/sign-in/dashboard-session";
import { isLocalPath } from "@/lib/domain/users/login-tokens";
import { t } from "@/lib/ground/texts/t";

export function generateMetadata(): Metadata {
  return { title: t("Two-step sign-in") };
}

export default async function CodePage({
  searchParams,
}: {
  searchParams: Promise<{ to?: string | string[] }>;
}) {
  const { to } = await searchParams;
  const target = typeof to === "string" && isLocalPath(to) ? to : "/dashboard";
  if (await findDashboardSession(await headers())) redirect(target);
  return (
    <QuietPage
      title={t("One more step")}
      lead={t("Type the code that your authenticator app shows, or one of your recovery codes.")}
    >
      <CodeForm to={target} />
    </QuietPage>
  );
}
