"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** The address that a page was loaded by is remembered with its anchor, and is there again on the way back. */
let isFollowed = false;

/** Follows the link that the address names, since entries once stood on the page of contents. */
export function FollowAnchor() {
  const router = useRouter();
  useEffect(() => {
    const follow = () => {
      const href = document.getElementById(location.hash.slice(1))?.getAttribute("href");
      if (href) router.replace(href);
    };
    if (!isFollowed) follow();
    isFollowed = true;
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [router]);
  return null;
}
