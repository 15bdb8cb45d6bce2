"use client";

import { useRead } from "@/components/api/use-read";
import type { Brand } from "@/lib/mail/design/brand-schema";
import { starterLanguageOf, type StarterLanguage } from "./starter-words";

/** The project's brand; null: it has none, or it is not known yet. */
export function useBrand(): Brand | null {
  const { data } = useRead("GET /v1/project", {});
  return data?.brand ?? null;
}

/** The language that the project writes to people in, of those that there are designs in. */
export function useStarterLanguage(): StarterLanguage {
  const { data } = useRead("GET /v1/project", {});
  return starterLanguageOf(data?.language);
}

/** The languages that an email can be said to be in; `own` is among them, whatever it is. */
export function useMailLanguages(own: string): readonly { value: string; label: string }[] {
  const { data } = useRead("GET /v1/project", {});
  const known = (data?.languages ?? []).map(({ code, name }) => ({ value: code, label: name }));
  return known.some(({ value }) => value === own) ? known : [{ value: own, label: own }, ...known];
}

/** The colours that a choice of colour offers, each once. */
export function swatchesOf(brand: Brand | null): readonly string[] {
  if (!brand) return [];
  const { accent, onAccent, text, sheet, background } = brand.theme;
  const all = [accent, onAccent, text, sheet, background, ...brand.colours];
  return [...new Set(all.map((colour) => colour.toLowerCase()))];
}
