import type { Place } from "@/components/source-editor/place";
import type { PreflightPlace } from "@/lib/domain/preflight/schema";
import { phrases, t } from "@/lib/ground/texts/t";

/** A place somebody asked to be taken to; a new object each time, so that asking twice works. */
export interface Jump {
  path: string;
  /** null: the field as a whole. */
  place: Place | null;
}

export const toJump = ({ path, line, column, excerpt }: PreflightPlace): Jump => ({
  path,
  place:
    line === null || column === null
      ? null
      : { line, column, length: excerpt?.length ?? 0, ...(excerpt && { excerpt }) },
});

/** The place in one of the editors; null: nobody asked for it. */
export const jumpIn = (jump: Jump | null, path: string): Place | null =>
  jump?.path === path ? jump.place : null;

/** The step of the composer where a field stands. */
export function stepOf(path: string): string {
  if (/^(?:segment|list)Id$/.test(path)) return "audience";
  if (/^(?:from|fromName|replyTo)$/.test(path)) return "sender";
  if (/^(?:body|text|templateId)$/.test(path)) return "content";
  if (/^tracking|^utm/.test(path)) return "tracking";
  return "subject";
}

const fields: Record<string, string> = phrases({
  subject: "the subject",
  previewText: "the preview text",
  body: "the content",
  text: "the plain text",
  templateId: "the template",
  segmentId: "the segment",
  listId: "the list",
  from: "the sender",
  fromName: "the sender name",
});

function fieldWords(field: string, line: number | null): string {
  if (line !== null) {
    if (field === "body") return t("line {line} of the content", { line });
    if (field === "text") return t("line {line} of the plain text", { line });
    if (field === "templateId") return t("line {line} of the template", { line });
  }
  return fields[field] ?? t("the A/B test");
}

/**
 * Where a button leads: “the subject”, “line 12 of the content”, “the subject of variant B”. `designed`: the content
 * was made in the visual editor, which has no lines.
 */
export function placeWords(
  { path, line }: Pick<PreflightPlace, "path" | "line">,
  designed: boolean,
): string {
  const [, index, name] = /^abTest\.variants\[(\d)\]\.(\w+)$/.exec(path) ?? [];
  const field = fieldWords(name ?? path, designed && path === "body" ? null : line);
  return index === undefined
    ? field
    : t("{field} of variant {variant}", {
        field,
        variant: String.fromCharCode(65 + Number(index)),
      });
}

/** Focuses the field and selects the part that is meant; if there is no such field, its step. */
export function focusField({ path, place }: Jump): void {
  const name = /^abTest\.variants\[0\]\.(\w+)$/.exec(path)?.[1] ?? path;
  const input = document.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`);
  if (!input) {
    // Editors go to their line by themselves.
    if (!place) document.getElementById(stepOf(path))?.scrollIntoView({ block: "start" });
    return;
  }
  input.scrollIntoView({ block: "center" });
  input.focus({ preventScroll: true });
  const at = place ? place.column - 1 : 0;
  input.setSelectionRange(at, place ? at + (place.length ?? 0) : input.value.length);
}
