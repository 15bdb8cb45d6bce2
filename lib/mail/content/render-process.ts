import { serveJobs, type NeedTime } from "@/lib/ground/processes/serve";
import {
  draftContent,
  htmlMilliseconds,
  type Draft,
  type DraftRecipient,
  type DraftSource,
} from "./draft";
import { inspectHtml, type InspectedHtml } from "./inspect-html";
import { compileTemplate, renderTemplate, type TemplateKind } from "./liquid";
import { placeholdersIn, type Placeholder } from "./placeholders";
import { textFromHtml } from "./plain-text";

export interface NamedTemplate {
  source: string;
  kind: TemplateKind;
  /** What errors name. */
  path: string;
}

export interface Rendered {
  rendered: string;
  /** The plain part that it would have; for HTML only. */
  text: string;
}

const jobs = {
  draft: (source: DraftSource, recipient: DraftRecipient, needTime: NeedTime): Draft =>
    draftContent(source, recipient, { needTime }),
  check(_: unknown, { source, kind, path }: NamedTemplate): null {
    compileTemplate(source, kind, path);
    return null;
  },
  render(
    { source, kind, path }: NamedTemplate,
    variables: Record<string, unknown>,
    needTime: NeedTime,
  ): Rendered {
    const rendered = renderTemplate(compileTemplate(source, kind, path), variables);
    if (kind !== "html") return { rendered, text: rendered };
    needTime(htmlMilliseconds(rendered.length));
    return { rendered, text: textFromHtml(rendered) };
  },
  text: (_: unknown, html: string): string => textFromHtml(html),
  placeholders: (_: unknown, { source, kind, path }: NamedTemplate): Placeholder[] =>
    placeholdersIn(source, kind, path),
  inspect: (_: unknown, html: string): InspectedHtml => inspectHtml(html),
};
export type RenderJobs = typeof jobs;

process.title = "lettermill render";
serveJobs(jobs);
