import type { RenderLimits } from "./liquid";

/*
 * The cost of a light template is in proportion to what it writes: it has outputs only, and only with
 * filters that liquidjs charges for each character or that never make a text shorter.
 */

/** For all parts of a mail together. Converting this much HTML to text takes some 15 ms. */
export const longestLightSource = 64_000;
const mostOutputs = 500;
const longestOutput = 200;
const mostFilters = 3;

/** What a light template may use where nothing can end it. */
export const lightLimits: RenderLimits = { steps: 10_000, memory: 300_000, output: 300_000 };

const path = /^[a-z_][\w-]*(?:\.[a-z_][\w-]*)*$/i;
/** They count or search the value before them. */
const costlyKey = /\.(?:size|first|last)\b/;
const filter =
  /^(?:default: ?(?:'[^'|]*'|"[^"|]*"|\d+)|upcase|downcase|capitalize|strip|lstrip|rstrip|url_encode)$/;

function isLightOutput(output: string): boolean {
  if (output.length > longestOutput) return false;
  const [value = "", ...filters] = output
    .replace(/^-/, "")
    .replace(/-$/, "")
    .split("|")
    .map((part) => part.trim());
  return (
    path.test(value) &&
    !costlyKey.test(value) &&
    filters.length <= mostFilters &&
    filters.every((text) => filter.test(text))
  );
}

/** Whether a template costs little enough to be parsed and rendered where nothing can end it. */
export function isLightTemplate(source: string): boolean {
  if (!source.includes("{{")) return !source.includes("{%");
  if (source.length > longestLightSource || source.includes("{%")) return false;
  let at = source.indexOf("{{");
  for (let outputs = 1; at !== -1; outputs++) {
    const end = source.indexOf("}}", at + 2);
    if (outputs > mostOutputs || end === -1) return false;
    if (!isLightOutput(source.slice(at + 2, end))) return false;
    at = source.indexOf("{{", end + 2);
  }
  return true;
}
