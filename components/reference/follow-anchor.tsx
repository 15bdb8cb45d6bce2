"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** The address that a page was loaded by is remembered with its anchor, and is there again on the way back. */
let isFollowed = false;

/** Follows the link that the address names, since entries once stood on the page of contents. */
export function FollowAnchor() {
  const router = useRouter();
  useEffect(() => {
    const link = document.getElementById(location.hash.slice(1));
    const href = link?.getAttribute("href");
    if (!href || isFollowed) return;
    isFollowed = true;
    router.replace(href);
  }, [router]);
  return null;
}
