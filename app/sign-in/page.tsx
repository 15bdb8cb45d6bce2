import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { QuietPage } from "@/components/shell/plain-page";
import { Or } from "@/components/sign-in/or";
import { ProviderSignIn } from "@/components/sign-in/provider-sign-in";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { Link } from "@/components/ui/link";
import { findDashboardSession } from "@/lib/doors/http/sign-in/dashboard-session";
import { findProviderName } from "@/lib/domain/users/identity-provider";
import { identityProblemSentence } from "@/lib/domain/users/identity-schema";
import { isLocalPath } from "@/lib/domain/users/login-tokens";
import { findPasskeySite } from "@/lib/domain/users/passkey-challenges";
import { t } from "@/lib/ground/texts/t";

export function generateMetadata(): Metadata {
  return { title: t("Sign in") };
}

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<{ to?: string | string[]; problem?: string | string[] }>;
}) {
  const { to, problem } = await searchParams;
  const target = typeof to === "string" && isLocalPath(to) ? to : "/dashboard";
  if (await findDashboardSession(await headers())) redirect(target);
  const provider = findProviderName();
  return (
    <QuietPage
      title={t("Sign in")}
      foot={
        <span className="flex gap-5">
          <Link href="/sign-up" className="underline underline-offset-4 hover:text-accent-ink">
            {t("No account yet?")}
          </Link>
          <Link href="/docs" className="underline underline-offset-4 hover:text-accent-ink">
            {t("Documentation")}
          </Link>
        </span>
      }
    >
      {provider !== null && (
        <>
          <ProviderSignIn
            provider={provider}
            to={target}
            problem={identityProblemSentence(problem, provider)}
          />
          <Or />
        </>
      )}
      <SignInForm to={target} passkeys={findPasskeySite() !== null} />
    </QuietPage>
  );
}
