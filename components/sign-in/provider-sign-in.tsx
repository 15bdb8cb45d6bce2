"use client";

import { Building2 } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { t } from "@/lib/ground/texts/t";
import { post } from "./post";

/** Leads to the identity provider, which leads back and on to `to`. */
export function ProviderSignIn({
  provider,
  to,
  problem = null,
}: {
  /** What people call it. */
  provider: string;
  /** A path on this site. */
  to: string;
  /** The sentence about an attempt that has just failed. */
  problem?: string | null;
}) {
  const [fault, setFault] = useState(problem);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    // Whoever comes back by the browser's button finds the page as they left it.
    const wake = () => setPending(false);
    window.addEventListener("pageshow", wake);
    return () => window.removeEventListener("pageshow", wake);
  }, []);
  async function leave() {
    setPending(true);
    setFault(null);
    try {
      const { url } = await post<{ url: string }>("/api/auth/oidc", { to });
      window.location.assign(url);
    } catch (error) {
      setPending(false);
      setFault(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <div className="flex flex-col gap-4">
      {fault && (
        <Callout kind="danger" alert>
          {fault}
        </Callout>
      )}
      <Button size="lg" pending={pending} onClick={() => void leave()}>
        <Building2 aria-hidden /> {t("Sign in with {provider}", { provider })}
      </Button>
    </div>
  );
}
