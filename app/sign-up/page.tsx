import type { Metadata } from "next";
import { headers } from "next/headers";
import Link from "next/link";
import { redirect } from "next/navigation";
import { QuietPage } from "@/components/shell/plain-page";
import { SignUpForm } from "@/components/sign-in/sign-up-form";
import { findDashboardSession } from "@/lib/doors/http/sign-in/dashboard-session";
import { signUpIsOpen } from "@/lib/domain/projects/sign-up";

export const metadata: Metadata = { title: "Make an account" };

export default async function SignUpPage() {
  if (await findDashboardSession(await headers())) redirect("/dashboard");
  const open = signUpIsOpen();
  return (
    <QuietPage
      title={open ? "Make an account" : "By invitation"}
      lead={
        open
          ? "We mail you a link. Behind it you choose a password."
          : "Accounts are made by invitation here. Ask whoever runs this installation, usually your company’s IT, to invite your address."
      }
      foot={
        <Link href="/sign-in" className="underline underline-offset-4 hover:text-accent-ink">
          Back to sign-in
        </Link>
      }
    >
      {open && <SignUpForm />}
    </QuietPage>
  );
}
