"use client";

import type { ReactNode } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { Field } from "@/components/ui/field";
import { Link, textLink } from "@/components/ui/link";
import { rich } from "@/components/ui/rich";
import { SuggestInput } from "@/components/ui/suggest-input";
import { t } from "@/lib/ground/texts/t";

/** The address that mail is from, at one of the verified domains. */
export function SenderAddress({
  value,
  onChange,
  error,
  domains,
  example,
  side,
}: {
  value: string;
  onChange: (from: string) => void;
  error: string | null;
  domains: readonly string[];
  /** The name before the at sign of the address that is shown while there is none. */
  example: string;
  /** Where the suggestions open. */
  side?: "top" | "bottom";
}) {
  const path = useProjectPath();
  const [local = "", host = ""] = value.trim().split("@");
  const typed = host.toLowerCase();
  // Not while it is being typed.
  const isOther = typed.includes(".") && !domains.some((domain) => domain.startsWith(typed));
  const link = (words: ReactNode) => (
    <Link className={textLink} href={path("domains")}>
      {words}
    </Link>
  );
  const verified = domains.slice(0, 3).join(", ");
  return (
    <Field
      label={t("Sender address")}
      name="from"
      error={error}
      hint={
        domains.length === 0
          ? rich("No domain is verified yet. <link>Add one</link>", { link })
          : isOther
            ? rich(
                "You can send from {domain} once it is <link>verified</link>. Verified: {domains}",
                { link, domain: typed, domains: verified },
              )
            : t("Verified: {domains}", { domains: verified })
      }
    >
      <SuggestInput
        value={value}
        onChange={onChange}
        placeholder={`${example}@${domains[0] ?? "example.com"}`}
        suggestions={domains.flatMap((domain) =>
          (local ? [local] : ["news", "hello"]).map((name) => `${name}@${domain}`),
        )}
        {...(side ? { side } : {})}
      />
    </Field>
  );
}
