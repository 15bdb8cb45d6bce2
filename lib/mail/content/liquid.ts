import {
  filters as builtInFilters,
  Liquid,
  LiquidError,
  Parser,
  Tokenizer,
  TypeGuards,
  type Context as LiquidContext,
  type Emitter,
  type Template,
} from "liquidjs";
import { LRUCache } from "lru-cache";
import { invalid, isAppError } from "@/lib/ground/errors";
import { lineStarts } from "./liquid-positions";

export type TemplateKind = "html" | "subject" | "text";

/** A parsed template. Immutable: any number of renderings can share it. */
export interface CompiledTemplate {
  readonly kind: TemplateKind;
  readonly parts: Template[];
  /** The source, when nothing in it is Liquid. */
  readonly constant: string | null;
  readonly path: string;
}

/** Limits of a template. Its time is limited from outside, where it can be ended: see rendering.ts. */
const mostTags = 20_000;
const mostNesting = 32;
const longestSubject = 998;

/** Limits of a rendering: steps, and characters that filters handle and that are written. */
export interface RenderLimits {
  steps: number;
  memory: number;
  output: number;
}

export const fullLimits: RenderLimits = {
  steps: 200_000,
  memory: 6_000_000,
  output: 10_000_000,
};
/** Each value written costs one step, and another one for every so many characters. */
const charactersPerStep = 256;

// They load other templates, or put a second language into one tag.
const removedTags = ["include", "render", "layout", "block", "liquid"];
// *_exp filters evaluate a value as an expression; sample makes a re-send differ.
const removedFilters = [
  ...Object.keys(builtInFilters).filter((name) => name.endsWith("_exp")),
  "sample",
];
const blocks = new Set(["if", "unless", "case", "for", "tablerow", "capture", "comment"]);

/** What the current rendering has left. Rendering is synchronous: there is only one at a time. */
let budget = { steps: 0, output: 0, now: new Date(0) };

class LimitExceeded extends Error {}

function charge(steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw new LimitExceeded("takes too many steps");
}

const escapeText = builtInFilters.escape as (this: unknown, text: string) => string;

/** liquidjs's own escaping calls a value's toString, which the data may define as a key. */
function escapeOutput(this: unknown, value: unknown): string {
  return escapeText.call(this, stringify(value));
}

function lockedEngine(kind: TemplateKind): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    dynamicPartials: false,
    relativeReference: false,
    templates: {},
    timezoneOffset: 0,
    locale: "en-US",
    ...(kind === "html" ? { outputEscape: escapeOutput } : {}),
  });
  for (const name of removedTags) delete engine.tags[name];
  for (const name of removedFilters) delete engine.filters[name];
  // `| escape` in an HTML body asks for what happens anyway: escaping twice would show entities.
  for (const name of ["escape", "escape_once", "xml_escape"] as const) {
    engine.registerFilter(name, { handler: builtInFilters[name] as () => unknown, raw: true });
  }
  for (const name of Object.keys(builtInFilters).filter((filter) => /^date/.test(filter))) {
    const handler = builtInFilters[name as "date"] as (...values: unknown[]) => unknown;
    engine.registerFilter(name, function (this: unknown, value: unknown, ...rest: unknown[]) {
      // The clock would make a re-send differ from the first.
      const time = value === "now" || value === "today" ? budget.now : value;
      return handler.call(this, time, ...rest);
    });
  }
  const renderer = engine.renderer;
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (parts: Template[], ctx: LiquidContext, emitter?: Emitter) => {
    charge(parts.length + 1);
    return renderTemplates(parts, ctx, emitter ?? new BoundedEmitter());
  };
  return engine;
}

/**
 * Counts what is written, captured blocks included: doubling a captured text thirty times makes a gigabyte.
 */
class BoundedEmitter implements Emitter {
  buffer = "";
  write(value: unknown): void {
    const text = stringify(value);
    budget.output -= text.length;
    if (budget.output < 0) throw new LimitExceeded("renders to a text that is too long");
    this.buffer += text;
  }
}

/** Charges for each value it visits: an array that holds itself twice, 60 levels deep, has 2^60. */
function stringify(value: unknown): string {
  charge(1);
  if (Array.isArray(value)) return value.map(stringify).join("");
  switch (typeof value) {
    case "string":
      charge(value.length / charactersPerStep);
      return value;
    case "number":
    case "boolean":
      return String(value);
    case "object":
      // Not its own toString: data may have a key of that name.
      return value === null ? "" : Object.prototype.toString.call(value);
    default:
      return "";
  }
}

const engines = {
  html: lockedEngine("html"),
  subject: lockedEngine("subject"),
  text: lockedEngine("text"),
};

/** "is not a valid template: ..., line 2, column 5"; liquidjs appends its own place to the message. */
function sentence(error: unknown): string {
  if (LiquidError.is(error)) {
    const message = error.originalError?.message ?? error.message;
    const [line, column] = error.token.getPosition();
    return `${message.replace(/, line:\d+.*$/s, "")}, line ${line}, column ${column}`;
  }
  if (error instanceof RangeError) return "is nested too deeply";
  return error instanceof Error ? error.message : "unknown fault";
}

function checkBounds(tokens: ReturnType<Tokenizer["readTopLevelTokens"]>, path: string): void {
  if (tokens.length > mostTags) {
    throw invalid(path, `has more than ${mostTags} tags and placeholders`);
  }
  let nesting = 0;
  for (const token of tokens) {
    if (!TypeGuards.isTagToken(token)) continue;
    const { name } = token;
    if (blocks.has(name)) nesting++;
    else if (name.startsWith("end")) nesting--;
    if (nesting > mostNesting) {
      const [line, column] = token.getPosition();
      throw invalid(
        path,
        `is nested more than ${mostNesting} deep, line ${line}, column ${column}`,
      );
    }
  }
}

/** By kind and source; its size is counted in characters of source. */
const compiledTemplates = new LRUCache<string, CompiledTemplate>({
  maxSize: 8_000_000,
  sizeCalculation: (_, key) => key.length,
});

/**
 * Parses Liquid in the locked engine. Errors name `path` (`emails[2].subject`). Throws VALIDATION_ERROR
 * with line and column. Compiled templates are kept by kind and source.
 */
export function compileTemplate(
  source: string,
  kind: TemplateKind,
  path: string = kind,
): CompiledTemplate {
  if (!source.includes("{{") && !source.includes("{%")) {
    return { kind, path, parts: [], constant: source };
  }
  // The whole source is the key: two templates can never share an entry.
  const key = `${kind}:${source}`;
  const kept = compiledTemplates.get(key);
  if (kept) return kept.path === path ? kept : { ...kept, path };
  const engine = engines[kind];
  try {
    const tokens = new Tokenizer(source).readTopLevelTokens(engine.options);
    checkBounds(tokens, path);
    const parts = new Parser(engine).parseTokens(tokens);
    const compiled: CompiledTemplate = { kind, path, parts, constant: null };
    compiledTemplates.set(key, compiled);
    return compiled;
  } catch (error) {
    if (isAppError(error)) throw error;
    throw invalid(path, `is not a valid template: ${sentence(error)}`);
  }
}

/**
 * The text for one set of variables: escaped for HTML in `html`, on one line in `subject`. A value is never
 * expanded again. `now` is what "now" means to the date filters: a stored time makes re-sends identical.
 * Throws VALIDATION_ERROR when a limit is exceeded. Some filters are not limited: see rendering.ts.
 */
export function renderTemplate(
  compiled: CompiledTemplate,
  variables: Record<string, unknown>,
  now: Date = new Date(),
  limits: RenderLimits = fullLimits,
): string {
  const { kind, path } = compiled;
  let text = compiled.constant;
  if (text === null) {
    const { steps, memory } = limits;
    budget = { steps, output: kind === "subject" ? longestSubject : limits.output, now };
    try {
      const options = { memoryLimit: memory };
      text = String(engines[kind].renderSync(compiled.parts, variables, options));
    } catch (error) {
      throw invalid(path, `cannot be rendered: ${sentence(error)}`);
    }
  }
  // Every line break and control character, even beyond ASCII: a subject is one header line.
  return kind === "subject"
    ? text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    : text;
}

/** A variable that a template takes from outside. */
export interface UsedVariable {
  /** `data.plan` as `["data", "plan"]`; ends where a part is known only while rendering. */
  path: string[];
  /** Its position in the source. */
  at: number;
}

/** The variables of a template that are not its own, in the order of the source. */
export function variablesOf(compiled: CompiledTemplate, source: string): UsedVariable[] {
  const lines = lineStarts(source);
  const { globals } = engines[compiled.kind].analyzeSync(compiled.parts);
  return Object.values(globals)
    .flat()
    .map(({ segments, location }) => {
      const unknown = segments.findIndex((segment) => typeof segment === "object");
      const path = (unknown === -1 ? segments : segments.slice(0, unknown)).map(String);
      return { path, at: (lines[location.row - 1] ?? 0) + location.col - 1 };
    })
    .sort((left, right) => left.at - right.at);
}
