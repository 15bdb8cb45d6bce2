import { compileTemplate, variablesOf, type TemplateKind } from "./liquid";

/** A value that a template prints or asks for. */
export interface Placeholder {
  /** As it is written: `data.plan`. */
  name: string;
  path: string[];
  /** Position of its `{{` or `{%`: in the source, and as an editor counts, from 1. */
  at: number;
  line: number;
  column: number;
  /** From its `{{` to its `}}`. */
  written: string;
  /** Prints nothing where there is no value: it has no `default`, and no condition tests it. */
  bare: boolean;
}

const longestExcerpt = 200;
const mostPlaceholders = 500;

/** The placeholders of a template, without those that it sets itself. Throws VALIDATION_ERROR. */
export function placeholdersIn(source: string, kind: TemplateKind, path: string): Placeholder[] {
  const variables = variablesOf(compileTemplate(source, kind, path), source).slice(
    0,
    mostPlaceholders,
  );
  const asked = new Set<string>();
  const placeholders: Placeholder[] = [];
  let [line, lineStart, counted] = [1, 0, 0];
  for (const variable of variables) {
    const output = source.lastIndexOf("{{", variable.at);
    const tag = source.lastIndexOf("{%", variable.at);
    const at = Math.max(output, tag, 0);
    const end = source.indexOf(output > tag ? "}}" : "%}", variable.at);
    const written = source.slice(at, end === -1 ? at + longestExcerpt : end + 2);
    const name = variable.path.join(".");
    if (tag > output) asked.add(name);
    for (let next = source.indexOf("\n", counted); next !== -1 && next < at; line++) {
      lineStart = counted = next + 1;
      next = source.indexOf("\n", counted);
    }
    placeholders.push({
      name,
      path: variable.path,
      at,
      line,
      column: at - lineStart + 1,
      written: written.slice(0, longestExcerpt),
      bare: output > tag && !/\|\s*default\s*:/.test(written),
    });
  }
  return placeholders.map((placeholder) => ({
    ...placeholder,
    bare: placeholder.bare && !asked.has(placeholder.name),
  }));
}
