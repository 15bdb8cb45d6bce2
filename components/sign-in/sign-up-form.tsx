"use client";

import { useState } from "react";
import { z } from "zod";
import { FormFault } from "@/components/form/form-fault";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { userEmail } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";
import { post } from "./post";

const signUpRequest = z.object({ email: userEmail });

/** Requests the link that makes an account. Says the same whether or not there is one. */
export function SignUpForm() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initial: { email: "" },
    schema: signUpRequest,
    guard: false,
    send: (body) => post("/api/auth/sign-up", body),
    onSent: (_, { email }) => setSentTo(email),
  });
  if (sentTo !== null) {
    return (
      <div className="flex flex-col gap-4">
        <Callout kind="success" title={t("Check your mailbox")} alert>
          <p className="wrap-anywhere">
            {t("An email to {email} is on its way. Its link works once, for a day.", {
              email: sentTo,
            })}
          </p>
        </Callout>
        <Button className="self-start" onClick={() => setSentTo(null)}>
          {t("Use another address")}
        </Button>
      </div>
    );
  }
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <FormFault of={form} />
      <Field label={t("Email")} name="email" error={form.fault("email")}>
        <Input {...form.text("email")} type="email" autoComplete="username" autoFocus />
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={form.pending}>
        {t("Send the link")}
      </Button>
    </form>
  );
}
