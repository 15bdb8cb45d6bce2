"use client";

import { useEffect, useRef, useState, type ComponentProps } from "react";
import { flushSync } from "react-dom";
import { inTurn } from "./turns";

/** Time for the rest of the page before what lies below is made, too: whoever prints wants all of it. */
const restMilliseconds = 6_000;
/** How near to the window counts as seen. */
const near = "300px";

/**
 * A div that makes its content once it is scrolled to, or the page has come to rest: for what takes a phone long to
 * draw. `atRest` false: only once it is scrolled to.
 */
export function WhenSeen({
  children,
  atRest = true,
  ...rest
}: ComponentProps<"div"> & { atRest?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || seen) return;
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watch.disconnect();
        inTurn(() => setSeen(true));
      },
      { rootMargin: near },
    );
    watch.observe(element);
    if (!atRest) return () => watch.disconnect();
    const timer = setTimeout(() => setSeen(true), restMilliseconds);
    const onPrint = () => flushSync(() => setSeen(true));
    window.addEventListener("beforeprint", onPrint);
    return () => {
      window.removeEventListener("beforeprint", onPrint);
      watch.disconnect();
      clearTimeout(timer);
    };
  }, [seen, atRest]);
  return (
    <div {...rest} ref={place}>
      {seen && children}
    </div>
  );
}
