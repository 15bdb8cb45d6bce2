"use client";

import { useState } from "react";
import { useRead } from "@/components/api/use-read";
import { Button } from "@/components/ui/button";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { useLoaded } from "@/components/ui/deferred";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-header";
import type { SecondFactor } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";

const PasswordDialog = deferredDialog(() =>
  import("./password-dialog").then((module) => module.PasswordDialog),
);

/** The reader's own password: changed, or set by those who have signed in another way so far. */
export function Password({ initial }: { initial: SecondFactor }) {
  const [open, setOpen] = useState(false);
  const { data } = useRead("GET /v1/second-factor", {}, { initial, every: 60_000 });
  const { hasPassword } = data;
  useLoaded(PasswordDialog);
  return (
    <Section
      title={t("Password")}
      description={
        hasPassword
          ? t("Signs you in together with your email address.")
          : t("You have none, and sign in another way. With one, you need no email to sign in.")
      }
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button onClick={() => setOpen(true)}>
          {hasPassword ? t("Change the password…") : t("Set a password…")}
        </Button>
        {hasPassword && (
          <Link
            href="/sign-in/forgot"
            className="text-sm text-accent-ink underline decoration-from-font underline-offset-4"
          >
            {t("Forgot it? Set a new one by email")}
          </Link>
        )}
      </div>
      {open && <PasswordDialog proofs={data} onClose={() => setOpen(false)} />}
    </Section>
  );
}
