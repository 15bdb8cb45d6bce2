"use client";

import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { ApiError, requestJson } from "@/components/api/client";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";

/** Asks for a link to set a password with. Says the same whether the address is known or not. */
export function ForgotForm() {
  const ask = useMutation<undefined, ApiError, string>({
    mutationFn: (email) =>
      requestJson("/api/auth/password-reset", { method: "POST", body: { email } }),
  });
  if (ask.isSuccess) {
    return (
      <Callout kind="success" title="Look into your mailbox" alert>
        If {ask.variables} has an account, a link is on its way. It works once, for an hour.
      </Callout>
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate(String(new FormData(event.currentTarget).get("email")));
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {ask.error && ask.error.details.length === 0 && (
        <Callout kind="danger" alert>
          {ask.error.message}
        </Callout>
      )}
      <Field label="Email" name="email" error={ask.error?.fieldError("email") ?? null}>
        <Input type="email" autoComplete="username" required autoFocus />
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={ask.isPending}>
        Send the link
      </Button>
    </form>
  );
}
