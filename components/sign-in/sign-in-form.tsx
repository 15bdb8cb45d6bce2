"use client";

import Link from "next/link";
import { useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { formText } from "./form-text";
import { signInWith } from "./sign-in";

/** Address and password. Goes to `to`, a path on this site, once they are accepted. */
export function SignInForm({ to }: { to: string }) {
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setPending(true);
    const problem = await signInWith(
      "password",
      { email: formText(form, "email"), password: formText(form, "password") },
      "The address or the password is wrong.",
    );
    if (problem === null) {
      // A full page load: nothing fetched before signing in is kept.
      window.location.assign(to);
      return;
    }
    setPending(false);
    setError(problem);
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {error && (
        <Callout kind="danger" alert>
          {error}
        </Callout>
      )}
      <Field label="Email" name="email">
        <Input type="email" autoComplete="username" required autoFocus />
      </Field>
      <Field label="Password" name="password">
        <Input type="password" autoComplete="current-password" required />
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={pending}>
        Sign in
      </Button>
      <Link
        href="/sign-in/forgot"
        className="self-center text-sm text-soft underline decoration-rule-strong underline-offset-4 hover:text-accent-ink"
      >
        Forgot your password, or have none yet?
      </Link>
    </form>
  );
}
