"use client";

import { KeyRound } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { z } from "zod";
import { FormFault } from "@/components/form/form-fault";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { ApiError } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { footLinkClass } from "./foot-link";
import { offerPasskeys, signInByPasskey } from "./passkey";
import { signInAndGo, type SignInTarget } from "./sign-in";

const credentials = z.object({
  email: z
    .string()
    .trim()
    .min(1, { error: () => t("is required") }),
  password: z.string().min(1, { error: () => t("is required") }),
});

/** Signs in with a passkey, by this button or among the addresses that the browser fills in. */
function PasskeySignIn({
  to,
  onTry,
  onFault,
}: {
  to: SignInTarget;
  onTry: () => void;
  /** Gets the sentence to show. */
  onFault: (sentence: string) => void;
}) {
  const [pending, setPending] = useState(false);
  useEffect(() => offerPasskeys(to, onFault), [to, onFault]);
  async function use() {
    onTry();
    setPending(true);
    const problem = await signInByPasskey(to);
    if (problem === null) return;
    setPending(false);
    onFault(problem);
  }
  return (
    <Button size="lg" pending={pending} onClick={() => void use()}>
      <KeyRound aria-hidden /> {t("Sign in with a passkey")}
    </Button>
  );
}

/** Address and password, or a passkey. Goes to `to` once they are accepted. */
export function SignInForm({
  to,
  passkeys,
  email = "",
  foot,
}: {
  to: SignInTarget;
  passkeys: boolean;
  /** Who is expected. */
  email?: string;
  /** Below the form; absent: the way for those who have no password. */
  foot?: ReactNode;
}) {
  const [passkeyFault, setPasskeyFault] = useState<string | null>(null);
  const form = useForm({
    initial: { email, password: "" },
    schema: credentials,
    guard: false,
    leaves: typeof to === "string",
    send: async (input) => {
      setPasskeyFault(null);
      const problem = await signInAndGo("password", input, {
        to,
        refusal: t("The address or the password is wrong."),
      });
      if (problem !== null) throw new ApiError(401, "UNAUTHORIZED", problem, [], undefined);
    },
  });
  // What was wrong with the password says nothing of the passkey that is tried next.
  const forget = () => {
    setPasskeyFault(null);
    form.set({});
  };
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <FormFault of={{ whole: passkeyFault ?? form.whole }} />
      <Field label={t("Email")} name="email" error={form.fault("email")}>
        <Input
          {...form.text("email")}
          type="email"
          autoComplete={passkeys ? "username webauthn" : "username"}
          autoFocus={email === ""}
        />
      </Field>
      <Field label={t("Password")} name="password" error={form.fault("password")}>
        <Input
          {...form.text("password")}
          type="password"
          autoComplete="current-password"
          autoFocus={email !== ""}
        />
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={form.pending}>
        {t("Sign in")}
      </Button>
      {passkeys && <PasskeySignIn to={to} onTry={forget} onFault={setPasskeyFault} />}
      {foot === undefined ? (
        <Link href="/sign-in/forgot" className={footLinkClass}>
          {t("Forgot your password, or have none yet?")}
        </Link>
      ) : (
        foot
      )}
    </form>
  );
}
