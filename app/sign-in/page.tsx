import type { Metadata } from "next";
import { headers } from "next/headers";
import Link from "next/link";
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
    <QuietPage
      title="Sign in"
      foot={
        <Link href="/sign-up" className="underline underline-offset-4 hover:text-accent-ink">
          No account yet?
        </Link>
      }
    >
      <SignInForm to={target} passkeys={findPasskeySite() !== null} />
    </QuietPage>
  );
}
