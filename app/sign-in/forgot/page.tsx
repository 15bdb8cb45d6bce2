import type { Metadata } from "next";
import Link from "next/link";
import { QuietPage } from "@/components/shell/quiet-page";
import { ForgotForm } from "@/components/sign-in/forgot-form";

export const metadata: Metadata = { title: "Reset the password" };

export default function ForgotPage() {
  return (
    <QuietPage
      title="A link by mail"
      lead="It goes to the address of your account."
      foot={
        <Link href="/sign-in" className="underline underline-offset-4 hover:text-accent-ink">
          Back to signing in
        </Link>
      }
    >
      <ForgotForm />
    </QuietPage>
  );
}
