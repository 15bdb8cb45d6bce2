import { z } from "zod";
import { colour, linkTarget, pictureAddress, size, theme } from "./schema";

export const mostBrandColours = 8;

/** What a project's emails begin with, and what the editor's colours offer. */
export const brand = z.strictObject({
  theme,
  /** Besides those of the theme. */
  colours: z.array(colour).max(mostBrandColours, `has more than ${mostBrandColours}`).default([]),
  logo: z
    .strictObject({
      src: pictureAddress,
      alt: z.string().max(500).default(""),
      /** Where it leads; empty: nowhere. */
      href: linkTarget.default(""),
      /** Pixels; null: as wide as there is room. */
      width: size(16, 800).nullable().default(null),
    })
    .nullable()
    .default(null),
});
export type Brand = z.output<typeof brand>;
