import { useEffect, useRef } from "react";

/**
 * For what is replaced at the same address: once asked, the page that comes instead begins at its top, and not wherever
 * somebody was in the longer one before it.
 */
export function useTopOnceGone(): () => void {
  const asked = useRef(false);
  useEffect(
    () => () => {
      // After the dialog has given the focus back, which scrolls as well.
      if (asked.current) setTimeout(() => window.scrollTo(0, 0));
    },
    [],
  );
  return () => {
    asked.current = true;
  };
}
