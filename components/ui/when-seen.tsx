"use client";

import { useEffect, useRef, useState, type ComponentProps } from "react";
import { flushSync } from "react-dom";

/** Time for the rest of the page before what lies below is made, too: whoever prints wants all of it. */
const restMilliseconds = 6_000;
/** How near to the window counts as seen. */
const near = "300px";

/** What has come into sight and is not made yet. One a frame: a page of many would be stuck while all are made at once. */
const turns: (() => void)[] = [];

function inTurn(make: () => void): void {
  turns.push(make);
  if (turns.length === 1) requestAnimationFrame(takeTurn);
}

function takeTurn(): void {
  turns[0]?.();
  turns.shift();
  if (turns.length > 0) requestAnimationFrame(takeTurn);
}

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
