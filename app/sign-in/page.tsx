import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { QuietPage } from "@/components/shell/plain-page";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { findDashboardSession } from "@/lib/doors/http/sign-in/dashboard-session";
import { isLocalPath } from "@/lib/domain/users/login-tokens";
import { findPasskeySite } from "@/lib/domain/users/passkey-challenges";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<{ to?: string | string[] }>;
}) {
  const { to } = await searchParams;
  const target = typeof to === "string" && isLocalPath(to) ? to : "/dashboard";
  if (await findDashboardSession(await headers())) redirect(target);
  return (
    <QuietPage title="Sign in">
      <SignInForm to={target} passkeys={findPasskeySite() !== null} />
    </QuietPage>
  );
}
