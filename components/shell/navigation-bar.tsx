"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { navigationEvents } from "./navigation-event";
import { t } from "@/lib/ground/texts/t";

/** A page that leads back to this one brings no change to go by. */
const longestMilliseconds = 10_000;

/** Shows that another page is on its way, unless it comes at once. */
export function NavigationBar() {
  const here = `${usePathname()}?${useSearchParams().toString()}`;
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const end = () => {
      clearTimeout(timer);
      setLeaving(false);
    };
    const begin = () => {
      end();
      setLeaving(true);
      timer = setTimeout(end, longestMilliseconds);
    };
    window.addEventListener(navigationEvents.begun, begin);
    window.addEventListener(navigationEvents.dropped, end);
    return () => {
      window.removeEventListener(navigationEvents.begun, begin);
      window.removeEventListener(navigationEvents.dropped, end);
      end();
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
