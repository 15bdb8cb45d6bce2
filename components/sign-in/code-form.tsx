"use client";

import { z } from "zod";
import { FormFault } from "@/components/form/form-fault";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { ApiError } from "@/lib/doors/http/client";
import { typedCode } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";
import { signInAndGo, type SignInTarget } from "./sign-in";

const input = z.object({ code: typedCode });

/** The second step of signing in. Goes to `to` once the code is accepted. */
export function CodeForm({ to, onAgain }: { to: SignInTarget; onAgain?: () => void }) {
  const form = useForm({
    initial: { code: "" },
    schema: input,
    guard: false,
    leaves: typeof to === "string",
    send: async (typed) => {
      const problem = await signInAndGo("code", typed, {
        to,
        refusal: t("The code is wrong, or has been used."),
      });
      if (problem !== null) throw new ApiError(401, "UNAUTHORIZED", problem, [], undefined);
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <FormFault of={form} />
      <Field label={t("Code")} name="code" error={form.fault("code")}>
        <Input {...form.text("code")} autoComplete="one-time-code" autoFocus spellCheck={false} />
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={form.pending}>
        {t("Sign in")}
      </Button>
      {onAgain ? (
        <Button variant="ghost" className="self-center" onClick={onAgain}>
          {t("Begin again")}
        </Button>
      ) : (
        <Link
          href="/sign-in"
          className="self-center text-sm text-soft underline decoration-rule-strong underline-offset-4 hover:text-accent-ink"
        >
          {t("Begin again")}
        </Link>
      )}
    </form>
  );
}
