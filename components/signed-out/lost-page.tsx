"use client";

import { useState } from "react";
import type { Viewer } from "@/components/api/project-context";
import { unsentText } from "@/components/form/unsent-text";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyTextButton } from "@/components/ui/copy-button";
import { t } from "@/lib/ground/texts/t";
import { SignInAgain } from "./deferred-sign-in";

/** Copies what has not been saved, if there is anything. */
function CopyUnsent() {
  const [text] = useState(unsentText);
  return text === "" ? null : <CopyTextButton text={text} label={t("Copy the unsaved text")} />;
}

/** What is left to do. To the projects by a full page load: nothing of this page is for the next one. */
function WaysOut() {
  return (
    <div className="flex flex-wrap gap-2">
      <CopyUnsent />
      <a href="/dashboard" className={buttonClass()}>
        {t("Go to your projects")}
      </a>
    </div>
  );
}

/** Somebody else is signed in: the page is not theirs. */
export function OthersPage({
  sentence,
  viewer,
  passkeys,
}: {
  sentence: string;
  viewer: Viewer;
  passkeys: boolean;
}) {
  const [signingIn, setSigningIn] = useState(false);
  return (
    <>
      <Callout kind="warning" alert>
        <p className="wrap-anywhere">
          {sentence}{" "}
          {t("Nothing written here is saved, except by {email}.", {
            email: viewer.email,
          })}
        </p>
      </Callout>
      <WaysOut />
      {signingIn ? (
        <SignInAgain viewer={viewer} passkeys={passkeys} instead />
      ) : (
        <Button className="self-start wrap-anywhere" onClick={() => setSigningIn(true)}>
          {t("Sign in as {email}", { email: viewer.email })}
        </Button>
      )}
    </>
  );
}

/** The viewer has signed in again, and the project is closed to them. */
export function BarredPage({ projectName }: { projectName: string }) {
  return (
    <>
      <Callout kind="warning" alert>
        <p className="wrap-anywhere">
          {t(
            "You are signed in, but may not open “{projectName}” any more: you are no longer a member, or it asks for two-step sign-in. What is written here cannot be saved.",
            { projectName },
          )}
        </p>
      </Callout>
      <WaysOut />
    </>
  );
}
