"use client";

import { useRead } from "@/components/api/use-read";
import type { Brand } from "@/lib/mail/design/brand-schema";

/** The project's brand; null: it has none, or it is not known yet. */
export function useBrand(): Brand | null {
  const { data } = useRead("GET /v1/project", {});
  return data?.brand ?? null;
}

/** The colours that a choice of colour offers, each once. */
export function swatchesOf(brand: Brand | null): readonly string[] {
  if (!brand) return [];
  const { accent, onAccent, text, sheet, background } = brand.theme;
  const all = [accent, onAccent, text, sheet, background, ...brand.colours];
  return [...new Set(all.map((colour) => colour.toLowerCase()))];
}
