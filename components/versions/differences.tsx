"use client";

import clsx from "clsx";
import { useMemo } from "react";
import { designText } from "@/components/mail-editor/design-text";
import { HtmlThumbnail } from "@/components/mail-editor/html-thumbnail";
import type { EmailDesign } from "@/lib/mail/design/schema";
import { t } from "@/lib/ground/texts/t";
import { compareTexts, type ComparedLine, type Piece } from "./compare-texts";

/** A part of two versions, as texts. */
export interface Difference {
  label: string;
  before: string;
  after: string;
}

/** A mail's content; the design is what the visual editor made the HTML from. */
interface Content {
  body: string | null;
  design: object | null;
}

/** Blocks are compared as blocks, and HTML as HTML, also where the same blocks became another HTML. */
export function contentDifference(older: Content, newer: Content): Difference {
  const designs = [older, newer].map(({ design }) => design as EmailDesign | null);
  const [before = "", after = ""] = designs.map(designText);
  return designs.includes(null) || before === after
    ? { label: "HTML", before: older.body ?? "", after: newer.body ?? "" }
    : { label: t("Blocks"), before, after };
}

const signs: Record<Piece["kind"], string> = { same: "", removed: "−", added: "+" };

function Marked({ kind, text }: Piece) {
  if (kind === "removed") {
    return <del className="bg-danger-wash text-danger">{text}</del>;
  }
  return kind === "added" ? (
    <ins className="bg-success-wash text-success no-underline">{text}</ins>
  ) : (
    <span>{text}</span>
  );
}

function Line({ line }: { line: ComparedLine }) {
  if (line.kind === "more") {
    return (
      <li className="border-t border-dashed pt-1 text-faint">
        {t("There are more differences than can be shown.")}
      </li>
    );
  }
  if (line.kind === "skipped") {
    return (
      <li className="border-y border-dashed py-0.5 text-faint">
        {t("{lines, plural, one {# unchanged line} other {# unchanged lines}}", {
          lines: line.lines,
        })}
      </li>
    );
  }
  const kinds = new Set(line.pieces.map(({ kind }) => kind));
  const sign = kinds.size === 1 ? signs[line.pieces[0]?.kind ?? "same"] : "±";
  return (
    <li className="grid grid-cols-[1.25rem_1fr] py-px">
      <span aria-hidden className="text-faint select-none">
        {sign}
      </span>
      <span className="whitespace-pre-wrap wrap-anywhere">
        {line.pieces.map((piece, index) => (
          <Marked key={index} {...piece} />
        ))}
        {line.pieces.every(({ text }) => text === "") && "\u00a0"}
      </span>
    </li>
  );
}

/** What went and what came between two texts; nothing where they are the same. */
function Differences({ label, before, after }: Difference) {
  const lines = useMemo(() => compareTexts(before, after), [before, after]);
  if (lines?.length === 0) return null;
  return (
    <section aria-label={label}>
      <h3 className="mb-1 text-sm font-medium">{label}</h3>
      {lines === null ? (
        <p className="text-sm text-soft">
          {t("They differ too much to be compared line by line.")}
        </p>
      ) : (
        <ol className="rounded-md border bg-sheet px-3 py-2 font-mono text-xs">
          {lines.map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** How two versions look, the older one first, and what is different in their texts. */
export function Compared({
  looks,
  differences,
}: {
  looks: readonly { version: number; html: string }[];
  differences: readonly Difference[];
}) {
  const isSame = differences.every(({ before, after }) => before === after);
  return (
    <>
      <div className="mb-5 grid gap-3 sm:grid-cols-2">
        {looks.map(({ version, html }, index) => (
          <figure key={version} className={clsx("min-w-0", isSame && index === 0 && "hidden")}>
            <figcaption className="eyebrow mb-1">{t("Version {version}", { version })}</figcaption>
            <HtmlThumbnail
              html={html}
              title={t("Version {version}", { version })}
              size="half"
              className="h-72 rounded-md border"
            />
          </figure>
        ))}
      </div>
      {isSame ? (
        <p className="text-sm text-soft">{t("These two versions say and look the same.")}</p>
      ) : (
        <div className="flex flex-col gap-4">
          {differences.map((difference) => (
            <Differences key={difference.label} {...difference} />
          ))}
        </div>
      )}
    </>
  );
}
