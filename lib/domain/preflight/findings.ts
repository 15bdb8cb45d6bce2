import type { AdvisoryFinding, BlockingFinding, PreflightPlace } from "./schema";

const mostPlaces = 10;
const mostExamples = 5;

interface Details {
  places?: readonly PreflightPlace[];
  count?: number;
  examples?: readonly string[];
  suggestion?: string | null;
}

function details({ places = [], count, examples = [], suggestion = null }: Details) {
  return {
    places: places.slice(0, mostPlaces),
    count: count ?? null,
    examples: examples.slice(0, mostExamples),
    suggestion,
  };
}

export function blocking(
  code: BlockingFinding["code"],
  message: string,
  more: Details = {},
): BlockingFinding {
  return { code, message, ...details(more) };
}

export function advisory(
  code: AdvisoryFinding["code"],
  message: string,
  more: Details = {},
): AdvisoryFinding {
  return { code, message, ...details(more) };
}

/** A field as a whole. */
export const field = (path: string): PreflightPlace => ({
  path,
  excerpt: null,
  line: null,
  column: null,
});

const longestExcerpt = 200;
const mostLookedFor = 10;

/** Where some text is in a field's source, as an editor counts; the whole field when it is not found. */
export function placesOf(
  path: string,
  source: string,
  wanted: readonly string[],
): PreflightPlace[] {
  const places: PreflightPlace[] = [];
  for (const text of wanted) {
    if (text === "") continue;
    for (let at = source.indexOf(text); at !== -1; at = source.indexOf(text, at + text.length)) {
      const before = source.slice(0, at);
      places.push({
        path,
        excerpt: text.slice(0, longestExcerpt),
        line: before.split("\n").length,
        column: at - before.lastIndexOf("\n"),
      });
      if (places.length === mostLookedFor) return places;
    }
  }
  return places.length > 0 ? places : [field(path)];
}
