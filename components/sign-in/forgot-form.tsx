"use client";

import { useState } from "react";
import { z } from "zod";
import { FormFault } from "@/components/form/form-fault";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input } from "@/components/ui/field";
import { userEmail } from "@/lib/domain/users/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { post } from "./post";

const purposes = phrases([
  {
    value: "password_reset",
    label: "Set a password",
    hint: "Ends your other sessions, and disconnects assistants.",
  },
  { value: "login", label: "Just sign in", hint: "The link signs you in, once." },
]);

const linkRequest = z.object({
  email: userEmail,
  purpose: z.enum(["password_reset", "login"]),
});
type LinkRequest = z.infer<typeof linkRequest>;

/** Requests a link by mail. Says the same whether or not the address is known. */
export function ForgotForm() {
  const [sent, setSent] = useState<LinkRequest | null>(null);
  const form = useForm({
    initial: (): LinkRequest => ({ email: "", purpose: "password_reset" }),
    schema: linkRequest,
    guard: false,
    send: (body) => post("/api/auth/links", body),
    onSent: (_, request) => setSent(request),
  });
  if (sent) {
    return (
      <div className="flex flex-col gap-4">
        <Callout kind="success" title={t("Check your mailbox")} alert>
          <p className="wrap-anywhere">
            {sent.purpose === "login"
              ? t(
                  "If {email} has an account, a link is on its way. It works once, for ten minutes.",
                  { email: sent.email },
                )
              : t("If {email} has an account, a link is on its way. It works once, for an hour.", {
                  email: sent.email,
                })}
          </p>
        </Callout>
        <Button className="self-start" onClick={() => setSent(null)}>
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
      <ChoiceCards
        label={t("What do you need?")}
        options={purposes}
        value={form.draft.purpose}
        onChange={(purpose) => form.set({ purpose })}
      />
      <Button type="submit" variant="primary" size="lg" pending={form.pending}>
        {t("Send the link")}
      </Button>
    </form>
  );
}
