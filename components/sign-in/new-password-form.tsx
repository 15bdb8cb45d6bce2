"use client";

import { useState } from "react";
import { z } from "zod";
import { FormFault } from "@/components/form/form-fault";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Checkbox } from "@/components/ui/checkbox";
import { newPassword } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";
import { post } from "./post";
import { signInAndGo } from "./sign-in";

interface Answer {
  email: string;
}

const passwordInput = z.object({ password: newPassword });

/** Sets a password with a mailed link, then signs in with that password. */
export function NewPasswordForm({
  token,
  purpose,
}: {
  token: string;
  purpose: "password_reset" | "invitation";
}) {
  const [visible, setVisible] = useState(false);
  const form = useForm({
    initial: { password: "" },
    schema: passwordInput,
    guard: false,
    leaves: true,
    send: ({ password }) => post<Answer>("/api/auth/password", { token, purpose, password }),
    onSent: async ({ email }, { password }) => {
      const refusal = t("The password is set. Sign in with it.");
      const input = { email, password };
      const problem = await signInAndGo("password", input, { to: "/dashboard", refusal });
      if (problem !== null) window.location.assign("/sign-in");
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <FormFault of={form} />
      <Field
        label={t("New password")}
        name="password"
        hint={t("At least 10 characters. A sentence is easy to remember.")}
        error={form.fault("password")}
      >
        <Input
          {...form.text("password")}
          type={visible ? "text" : "password"}
          autoComplete="new-password"
          autoFocus
        />
      </Field>
      <Checkbox label={t("Show the password")} checked={visible} onChange={setVisible} />
      <Button type="submit" variant="primary" size="lg" pending={form.pending}>
        {t("Set the password and sign in")}
      </Button>
    </form>
  );
}
