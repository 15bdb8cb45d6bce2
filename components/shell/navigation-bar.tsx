"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { navigationEvent } from "./navigation-event";
import { t } from "@/lib/ground/texts/t";

/** Shows that another page is on its way, unless it comes at once. */
export function NavigationBar() {
  const here = `${usePathname()}?${useSearchParams().toString()}`;
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    const onStart = () => setLeaving(true);
    window.addEventListener(navigationEvent, onStart);
    return () => {
      window.removeEventListener(navigationEvent, onStart);
      setLeaving(false);
    };
  }, [here]);
  if (!leaving) return null;
  return (
    <div
      role="progressbar"
      aria-label={t("Loading the page")}
      className="animate-arrive fixed inset-x-0 top-0 z-50 h-0.5 origin-left bg-accent print:hidden"
    />
  );
}
