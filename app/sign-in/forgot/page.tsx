import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { ForgotForm } from "@/components/sign-in/forgot-form";
import { Link } from "@/components/ui/link";
import { t } from "@/lib/ground/texts/t";

export function generateMetadata(): Metadata {
  return { title: t("Get a link by email") };
}

export default function ForgotPage() {
  return (
    <QuietPage
      title={t("Get a link by email")}
      lead={t("We send it to the address of your account.")}
      foot={
        <Link href="/sign-in" className="underline underline-offset-4 hover:text-accent-ink">
          {t("Back to sign-in")}
        </Link>
      }
    >
      <ForgotForm />
    </QuietPage>
  );
}
