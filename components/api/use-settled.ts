"use client";

import { useEffect, useState } from "react";

const shortPause = 350;

/** The value once it has stopped changing for a moment: for requests made while somebody types. */
export function useSettled<Value>(value: Value, pauseMilliseconds = shortPause): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [value, pauseMilliseconds]);
  return settled;
}
