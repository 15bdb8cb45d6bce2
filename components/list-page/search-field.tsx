"use client";

import clsx from "clsx";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { controlClass } from "@/components/ui/control-class";

const pauseMilliseconds = 300;

/** Search text, passed on when typing pauses, or at once on Enter. */
export function SearchField({
  label,
  value,
  onChange,
  longest = 254,
  className,
}: {
  /** Name and placeholder. */
  label: string;
  /** What is searched for now. A change from outside replaces the text. */
  value: string;
  onChange: (value: string) => void;
  /** Characters; as many as an address has where that is not said. */
  longest?: number;
  className?: string;
}) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  /** What was passed on and has not come back as `value`. */
  const [awaited, setAwaited] = useState<readonly string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (shown !== value) {
    setShown(value);
    const at = awaited.indexOf(value);
    setAwaited(at < 0 ? [] : awaited.slice(at + 1));
    // What was passed on comes back while typing may have continued.
    if (at < 0) setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const hand = (next: string) => {
    clearTimeout(timer.current);
    const wanted = next.trim();
    if (wanted === (awaited.at(-1) ?? value)) return;
    setAwaited((before) => [...before, wanted]);
    onChange(wanted);
  };
  return (
    <div className={clsx("relative", className)}>
      <Search className="pointer-events-none absolute top-3 left-3 size-4 text-faint" aria-hidden />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={longest}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => hand(target.value), pauseMilliseconds);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") hand(text);
        }}
        className={clsx(controlClass, "h-10 pl-9")}
      />
    </div>
  );
}
