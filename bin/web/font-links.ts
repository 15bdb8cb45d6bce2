import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The fonts that every page writes in. */
const everywhere = /^(?:instrument-sans-latin-wght|fraunces-latin-500)-normal\.[\w-]+\.woff2$/;

/**
 * The header `Link` that has browsers fetch the fonts of a page beside its styles, and not after them: text that is
 * shown in another font first moves when its own arrives. Null: there is no build.
 */
export function fontLinks(root: string): string | null {
  const folder = join(root, ".next", "static", "media");
  if (!existsSync(folder)) return null;
  const links = readdirSync(folder)
    .filter((name) => everywhere.test(name))
    .map((name) => `</_next/static/media/${name}>; rel=preload; as=font; crossorigin`);
  return links.length > 0 ? links.join(", ") : null;
}
