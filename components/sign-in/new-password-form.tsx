"use client";

import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { fieldFault, formFault } from "@/components/api/faults";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { Checkbox } from "@/components/ui/toggle";
import { newPassword } from "@/lib/domain/users/schema";
import { formText } from "./form-text";
import { post } from "./post";
import { signInWith } from "./sign-in";

interface Answer {
  email: string;
}

/** Sets a password with a mailed link, then signs in with that password. */
export function NewPasswordForm({
  token,
  purpose,
}: {
  token: string;
  purpose: "password_reset" | "invitation";
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const [visible, setVisible] = useState(false);
  const set = useMutation({
    mutationFn: (password: string) =>
      post<Answer>("/api/auth/password", { token, purpose, password }),
    onSuccess: async ({ email }, password) => {
      const refusal = "The password is set. Sign in with it.";
      if ((await signInWith("password", { email, password }, refusal)) === null) {
        window.location.assign("/dashboard");
      } else {
        window.location.assign("/sign-in");
      }
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = formText(event.currentTarget, "password");
    const checked = newPassword.safeParse(password);
    setProblem(checked.success ? null : (checked.error.issues[0]?.message ?? "is not valid"));
    if (checked.success) set.mutate(password);
  };
  const formError = formFault(set.error, ["password"]);
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {formError && (
        <Callout kind="danger" alert>
          {formError}
        </Callout>
      )}
      <Field
        label="New password"
        name="password"
        hint="At least 10 characters. A sentence is easy to remember."
        error={problem ? `This ${problem}.` : fieldFault(set.error, "password")}
      >
        <Input
          type={visible ? "text" : "password"}
          autoComplete="new-password"
          required
          autoFocus
        />
      </Field>
      <Checkbox label="Show the password" checked={visible} onChange={setVisible} />
      <Button type="submit" variant="primary" size="lg" pending={set.isPending || set.isSuccess}>
        Set the password and sign in
      </Button>
    </form>
  );
}
