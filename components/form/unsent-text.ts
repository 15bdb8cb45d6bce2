"use client";

import { useEffect, useRef } from "react";
import { changedFields } from "./changed";

const writings = new Set<() => string>();

/** What is not for the clipboard. */
const secret = /password|secret|token|code$/i;

const labelOf = (name: string) =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (c) => c.toUpperCase());

/** What differs from `base`, as a text: each field under its name. */
export function textOf<Draft extends object>(base: Draft, draft: Draft): string {
  return changedFields(base, draft)
    .filter((name) => !secret.test(String(name)))
    .flatMap((name) => {
      const value: unknown = draft[name];
      if (value === null || value === undefined || value === "") return [];
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return [`${labelOf(String(name))}:\n${text}`];
    })
    .join("\n\n");
}

/** While `read` is there, the page holds text that has not been saved. */
export function useUnsentText(read: (() => string) | null): void {
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    const writing = () => latest.current?.() ?? "";
    writings.add(writing);
    return () => void writings.delete(writing);
  }, []);
}

/** All the page's unsaved text; empty when everything is saved. */
export const unsentText = () =>
  [...writings]
    .map((read) => read())
    .filter((text) => text !== "")
    .join("\n\n");
