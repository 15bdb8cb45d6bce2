"use client";

import { useEffect, useState } from "react";

const shortPause = 350;

/** The value once it has stopped changing for a moment: what the server is asked while somebody types. */
export function useSettled<Value>(value: Value, pauseMilliseconds = shortPause): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [value, pauseMilliseconds]);
  return settled;
}
