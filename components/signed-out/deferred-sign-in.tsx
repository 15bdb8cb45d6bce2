"use client";

import { footLinkClass } from "@/components/sign-in/foot-link";
import { deferred } from "@/components/ui/deferred";
import { t } from "@/lib/ground/texts/t";

/** Leads to a page of its own: passkeys aside, the other ways to sign in lead over other sites or a mailbox. */
export function Elsewhere() {
  return (
    <a href="/sign-in?to=/sign-in/done" target="_blank" className={footLinkClass}>
      {t("Sign in another way, in a new tab")}
    </a>
  );
}

/** Signing in is for few of the visits: its forms come after the page. */
export const SignInAgain = deferred(
  () => import("./sign-in-again").then((module) => module.SignInAgain),
  Elsewhere,
);
