"use client";

import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { fieldFault, formFault } from "@/components/api/faults";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input } from "@/components/ui/field";
import { formText } from "./form-text";
import { post } from "./post";

const purposes = [
  { value: "password_reset", label: "Set a password", hint: "Ends your other sessions." },
  { value: "login", label: "Just sign in", hint: "The link signs you in, once." },
] as const;
type Purpose = (typeof purposes)[number]["value"];

/** Requests a link by mail. Says the same whether or not the address is known. */
export function ForgotForm() {
  const [purpose, setPurpose] = useState<Purpose>("password_reset");
  const request = useMutation({
    mutationFn: (email: string) => post("/api/auth/links", { email, purpose }),
  });
  if (request.isSuccess) {
    return (
      <Callout kind="success" title="Check your mailbox" alert>
        If {request.variables} has an account, a link is on its way. It works once, for{" "}
        {purpose === "login" ? "ten minutes" : "an hour"}.
      </Callout>
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    request.mutate(formText(event.currentTarget, "email"));
  };
  const fault = formFault(request.error, ["email"]);
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {fault && (
        <Callout kind="danger" alert>
          {fault}
        </Callout>
      )}
      <Field label="Email" name="email" error={fieldFault(request.error, "email")}>
        <Input type="email" autoComplete="username" required autoFocus />
      </Field>
      <ChoiceCards
        label="What do you need?"
        options={purposes}
        value={purpose}
        onChange={setPurpose}
      />
      <Button type="submit" variant="primary" size="lg" pending={request.isPending}>
        Send the link
      </Button>
    </form>
  );
}
