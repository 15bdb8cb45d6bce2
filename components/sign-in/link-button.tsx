"use client";

import { useState } from "react";
import { Button, type ButtonVariant } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { t } from "@/lib/ground/texts/t";
import { signInAndGo } from "./sign-in";

/** The one button of a one-time link's page: only pressing it uses the link up. */
export function LinkSignInButton({
  token,
  purpose,
  to,
  label,
  variant = "primary",
}: {
  token: string;
  purpose: "login" | "invitation";
  /** A path on this site. */
  to: string;
  label: string;
  variant?: ButtonVariant;
}) {
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);

  async function use() {
    setPending(true);
    const problem = await signInAndGo(
      "link",
      { token, purpose },
      { to, refusal: t("This link has already been used or has expired.") },
    );
    if (problem === null) return;
    setPending(false);
    setError(problem);
  }

  return (
    <div className="flex flex-col gap-4">
      {error && (
        <Callout kind="danger" alert>
          {error}
        </Callout>
      )}
      <Button variant={variant} size="lg" pending={pending} onClick={() => void use()}>
        {label}
      </Button>
    </div>
  );
}
