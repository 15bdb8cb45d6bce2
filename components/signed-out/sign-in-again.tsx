"use client";

import { useCallback, useState } from "react";
import type { Viewer } from "@/components/api/project-context";
import { sessionWatch } from "@/components/api/session-watch";
import { CodeForm } from "@/components/sign-in/code-form";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { t } from "@/lib/ground/texts/t";
import { Elsewhere } from "./elsewhere";

/** The sign-in page's forms, for a page that stays as it is. */
export function SignInAgain({
  viewer,
  passkeys,
  instead = false,
}: {
  viewer: Viewer;
  passkeys: boolean;
  /** Of somebody who is signed in: to them the sign-in page shows no form. */
  instead?: boolean;
}) {
  const [step, setStep] = useState<"in" | "code">("in");
  const goOn = useCallback(async (next: "in" | "code") => {
    if (next === "code") {
      setStep("code");
      return null;
    }
    await sessionWatch.check();
    return sessionWatch.getState().standing.kind === "out"
      ? t("The server did not confirm that you are signed in. Try again.")
      : null;
  }, []);
  if (step === "code") {
    return (
      <>
        <p className="text-sm text-soft">
          {t("Type the code that your authenticator app shows, or one of your recovery codes.")}
        </p>
        <CodeForm to={goOn} onAgain={() => setStep("in")} />
      </>
    );
  }
  return (
    <SignInForm
      to={goOn}
      passkeys={passkeys}
      email={viewer.email}
      foot={instead ? null : <Elsewhere />}
    />
  );
}
