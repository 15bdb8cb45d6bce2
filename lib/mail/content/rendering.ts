import { availableParallelism } from "node:os";
import { LRUCache } from "lru-cache";
import { AppError, invalid, isAppError } from "@/lib/ground/errors";
import { JobEnded, ProcessPool } from "@/lib/ground/processes/process-pool";
import {
  draftContent,
  htmlMilliseconds,
  isLight,
  type Draft,
  type DraftRecipient,
  type DraftSource,
} from "./draft";
import { isLightTemplate, lightLimits, longestLightSource } from "./light-templates";
import type { InspectedHtml } from "./inspect-html";
import { compileTemplate, renderTemplate, type TemplateKind } from "./liquid";
import type { Placeholder } from "./placeholders";
import { textFromHtml } from "./plain-text";
import type { NamedTemplate, Rendered, RenderJobs } from "./render-process";

/*
 * What users write is rendered where it can be ended: in processes of their own, where projects take turns. Only
 * light templates and short HTML, whose cost is bounded by their length, are rendered on the loop.
 */

/** Processor time for one mail. */
const mailMilliseconds = 50;

const holder = globalThis as { lettermillRenderProcesses?: ProcessPool };

/** The program's one pool. Its processes start when they are first needed. */
function processes(): ProcessPool {
  const cores = availableParallelism();
  return (holder.lettermillRenderProcesses ??= new ProcessPool({
    file: "lib/mail/content/render-process.ts",
    processes: cores < 4 ? 3 : 4,
    perLane: cores < 4 ? 1 : 2,
    memoryMegabytes: 256,
    idleMilliseconds: 60_000,
  }));
}

interface Order<Job extends keyof RenderJobs> {
  projectId: string;
  job: Job;
  shared: Parameters<RenderJobs[Job]>[0] & object;
  input: Parameters<RenderJobs[Job]>[1];
  /** What is rendered, so that it is recognised again. */
  template: object | string;
  /** Length of the templates, or of the HTML that is read. */
  characters: number;
  /** What the error for a rendering that was ended names. */
  path?: string;
}

/**
 * How often in a row rendering was ended, by template: one that always is ended would keep its project's
 * process busy for each of its recipients. One recipient's data alone does not affect the others.
 */
const endings = new LRUCache<object | string, number>({ max: 1_000, ttl: 60_000 });
const mostEndings = 3;

async function inProcess<Job extends keyof RenderJobs>(
  order: Order<Job>,
): Promise<ReturnType<RenderJobs[Job]>> {
  const { projectId, job, shared, input, characters, path, template } = order;
  const milliseconds = mailMilliseconds + htmlMilliseconds(characters);
  const before = endings.get(template) ?? 0;
  if (before >= mostEndings) throw endedFault("time", path);
  try {
    const result = await processes().run({ lane: projectId, job, shared, input, milliseconds });
    endings.delete(template);
    return result as ReturnType<RenderJobs[Job]>;
  } catch (error) {
    if (!(error instanceof JobEnded)) throw error;
    endings.set(template, (endings.get(template) ?? 0) + 1);
    throw endedFault(error.reason, path);
  }
}

function endedFault(reason: JobEnded["reason"], path: string | undefined): AppError {
  const fault = `takes too much ${reason} to render`;
  return path === undefined
    ? new AppError("VALIDATION_ERROR", `The template ${fault}.`)
    : invalid(path, fault);
}

const lightness = new WeakMap<DraftSource, boolean>();

/** Renders a message for one recipient. Throws VALIDATION_ERROR when the template is at fault. */
export async function renderDraft(
  projectId: string,
  source: DraftSource,
  recipient: DraftRecipient,
): Promise<Draft> {
  let light = lightness.get(source);
  if (light === undefined) lightness.set(source, (light = isLight(source)));
  if (light) {
    try {
      return draftContent(source, recipient, { limits: lightLimits });
    } catch (error) {
      // It is over the limits of the loop, but perhaps not over those of a process.
      if (!isAppError(error)) throw error;
    }
  }
  const { subject, html, text } = source;
  const characters = subject.length + (html?.length ?? 0) + (text?.length ?? 0);
  return inProcess({
    projectId,
    job: "draft",
    shared: source,
    input: recipient,
    template: source,
    characters,
  });
}

/** Sources that compile, with their kind: API clients send the same ones again and again. */
const checked = new LRUCache<string, true>({
  maxSize: 8_000_000,
  sizeCalculation: (_, key) => key.length,
});
const nothingShared = {};

/** A message's templates as they are checked; absent ones are skipped. */
export interface CheckedContent {
  subject?: string | null | undefined;
  previewText?: string | null | undefined;
  html?: string | null | undefined;
  text?: string | null | undefined;
}

/**
 * Throws VALIDATION_ERROR with line and column for the first template that does not parse, named in the
 * words of the caller's input (`emails[2].body`, with `emails[2].` as prefix).
 */
export async function checkContent(
  projectId: string,
  { subject, previewText, html, text }: CheckedContent,
  prefix = "",
): Promise<void> {
  const templates: NamedTemplate[] = [];
  const add = (source: string | null | undefined, kind: TemplateKind, name: string) => {
    if (source) templates.push({ source, kind, path: prefix + name });
  };
  add(subject, "subject", "subject");
  add(previewText, "subject", "previewText");
  add(html, "html", "body");
  add(text, "text", "text");
  if (templates.every(({ source }) => isLightTemplate(source))) {
    for (const { source, kind, path } of templates) compileTemplate(source, kind, path);
    return;
  }
  const faults = await Promise.all(
    templates.map(async (template) => {
      try {
        await check(projectId, template);
        return null;
      } catch (error) {
        return error as Error;
      }
    }),
  );
  const fault = faults.find((error) => error !== null);
  if (fault) throw fault;
}

async function check(projectId: string, template: NamedTemplate): Promise<void> {
  const { source, kind, path } = template;
  if (isLightTemplate(source)) {
    compileTemplate(source, kind, path);
    return;
  }
  const key = `${kind}:${source}`;
  if (checked.get(key)) return;
  const characters = source.length;
  await inProcess({
    projectId,
    job: "check",
    shared: nothingShared,
    input: template,
    template: source,
    characters,
    path,
  });
  checked.set(key, true);
}

/** One template for one set of variables, HTML with its plain part. Throws VALIDATION_ERROR. */
export async function renderOne(
  projectId: string,
  template: NamedTemplate,
  variables: Record<string, unknown>,
): Promise<Rendered> {
  const { source, kind, path } = template;
  if (source.length <= longestLightSource && isLightTemplate(source)) {
    try {
      const compiled = compileTemplate(source, kind, path);
      const rendered = renderTemplate(compiled, variables, new Date(), lightLimits);
      return { rendered, text: kind === "html" ? textFromHtml(rendered) : rendered };
    } catch (error) {
      if (!isAppError(error)) throw error;
    }
  }
  const characters = source.length;
  return inProcess({
    projectId,
    job: "render",
    shared: template,
    input: variables,
    template: source,
    characters,
    path,
  });
}

/** The text that HTML shows. */
export async function renderText(projectId: string, html: string): Promise<string> {
  return html.length <= longestLightSource
    ? textFromHtml(html)
    : inProcess({
        projectId,
        job: "text",
        shared: nothingShared,
        input: html,
        template: html,
        characters: html.length,
      });
}

/** The placeholders of a template. Throws VALIDATION_ERROR. */
export async function findPlaceholders(
  projectId: string,
  template: NamedTemplate,
): Promise<Placeholder[]> {
  const { source, path } = template;
  if (!source.includes("{{") && !source.includes("{%")) return [];
  return inProcess({
    projectId,
    job: "placeholders",
    shared: nothingShared,
    input: template,
    template: source,
    characters: source.length,
    path,
  });
}

/** Where the links of rendered HTML lead, and what its pictures are. */
export function inspect(projectId: string, html: string): Promise<InspectedHtml> {
  return inProcess({
    projectId,
    job: "inspect",
    shared: nothingShared,
    input: html,
    template: html,
    characters: html.length,
  });
}
