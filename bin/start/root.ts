import { fileURLToPath } from "node:url";

/** The checkout: where package.json, the sources and the build are. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");
