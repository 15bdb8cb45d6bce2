"use client";

import type { ComponentProps } from "react";
import { ColorField } from "@/components/ui/color-field";
import { swatchesOf, useBrand } from "./use-brand";

/** A colour, for which the brand's colours are offered. */
export function BrandColorField(props: Omit<ComponentProps<typeof ColorField>, "swatches">) {
  const brand = useBrand();
  return <ColorField {...props} swatches={swatchesOf(brand)} />;
}
