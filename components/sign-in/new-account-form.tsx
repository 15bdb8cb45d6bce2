"use client";

import { useState } from "react";
import { z } from "zod";
import { FormFault } from "@/components/form/form-fault";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Checkbox } from "@/components/ui/checkbox";
import { projectName } from "@/lib/domain/projects/schema";
import { newPassword } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";
import { post } from "./post";
import { signInAndGo } from "./sign-in";

const accountInput = z.object({ name: projectName, password: newPassword });

/** Makes an account with a mailed link, and its first project, then signs in. */
export function NewAccountForm({ token }: { token: string }) {
  const [visible, setVisible] = useState(false);
  const form = useForm({
    initial: { name: "", password: "" },
    schema: accountInput,
    guard: false,
    leaves: true,
    send: (body) => post<{ email: string }>("/api/auth/sign-up/finish", { token, ...body }),
    onSent: async ({ email }, { password }) => {
      const refusal = t("Your account is made. Sign in with it.");
      const problem = await signInAndGo(
        "password",
        { email, password },
        { to: "/dashboard", refusal },
      );
      if (problem !== null) window.location.assign("/sign-in");
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <FormFault of={form} />
      <Field
        label={t("Name of your first project")}
        name="name"
        hint={t("Such as your company or product. It can be changed later.")}
        error={form.fault("name")}
      >
        <Input {...form.text("name")} autoComplete="organization" autoFocus />
      </Field>
      <Field
        label={t("Password")}
        name="password"
        hint={t("At least 10 characters. A sentence is easy to remember.")}
        error={form.fault("password")}
      >
        <Input
          {...form.text("password")}
          type={visible ? "text" : "password"}
          autoComplete="new-password"
        />
      </Field>
      <Checkbox label={t("Show the password")} checked={visible} onChange={setVisible} />
      <Button type="submit" variant="primary" size="lg" pending={form.pending}>
        {t("Make the account and sign in")}
      </Button>
    </form>
  );
}
