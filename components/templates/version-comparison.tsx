"use client";

import clsx from "clsx";
import { ArrowLeft } from "lucide-react";
import { useMemo, useState } from "react";
import { designText } from "@/components/mail-editor/design-text";
import { HtmlThumbnail } from "@/components/mail-editor/html-thumbnail";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import type { TemplateVersion } from "@/lib/domain/templates/schema";
import type { EmailDesign } from "@/lib/mail/design/schema";
import { t } from "@/lib/ground/texts/t";
import { compareTexts, type ComparedLine, type Piece } from "./compare-texts";

const designOf = ({ design }: TemplateVersion) => design as EmailDesign | null;

interface Contents {
  label: "Blocks" | "HTML";
  before: string;
  after: string;
}

/** Blocks are compared as blocks, and HTML as HTML, also where the same blocks became another HTML. */
function contentsOf(older: TemplateVersion, newer: TemplateVersion): Contents {
  const designs = [designOf(older), designOf(newer)];
  const [before = "", after = ""] = designs.map(designText);
  return designs.includes(null) || before === after
    ? { label: "HTML", before: older.body, after: newer.body }
    : { label: "Blocks", before, after };
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

/** What went and what came between two texts. */
function Differences({ label, before, after }: { label: string; before: string; after: string }) {
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

/** Two versions of a template: how they look, and what is different in their texts. */
export function VersionComparison({
  version,
  versions,
  onBack,
}: {
  version: TemplateVersion;
  /** All of them, newest first. */
  versions: readonly TemplateVersion[];
  onBack: () => void;
}) {
  const others = versions.filter((each) => each.version !== version.version);
  const [chosen, setChosen] = useState(others[0]?.version ?? 0);
  const other = others.find((each) => each.version === chosen);
  if (!other) return null;
  const [older, newer] = [version, other].sort((left, right) => left.version - right.version) as [
    TemplateVersion,
    TemplateVersion,
  ];
  const contents = contentsOf(older, newer);
  const isSame =
    contents.before === contents.after &&
    older.name === newer.name &&
    older.subject === newer.subject;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <Button size="sm" variant="ghost" onClick={onBack}>
          <ArrowLeft aria-hidden /> {t("All versions")}
        </Button>
        <span className="ml-auto">
          {t("Version {version} beside", { version: version.version })}
        </span>
        <Select
          label={t("Compare with")}
          className="h-8! w-40 text-sm"
          options={others.map((each, index) => ({
            value: String(each.version),
            label:
              index === 0 && each === versions[0]
                ? t("Version {version}, in use", { version: each.version })
                : t("Version {version}", { version: each.version }),
          }))}
          value={String(chosen)}
          onChange={(next) => setChosen(Number(next))}
        />
      </div>
      <div
        className="max-h-[60vh] overflow-y-auto"
        tabIndex={0}
        aria-label={t("Comparison")}
        role="region"
      >
        <div className="mb-5 grid gap-3 sm:grid-cols-2">
          {[older, newer].map((each, index) => (
            <figure
              key={each.version}
              className={clsx("min-w-0", isSame && index === 0 && "hidden")}
            >
              <figcaption className="eyebrow mb-1">
                {t("Version {version}", { version: each.version })}
              </figcaption>
              <HtmlThumbnail
                html={each.body}
                title={t("Version {version}", { version: each.version })}
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
            <Differences label={t("Name")} before={older.name} after={newer.name} />
            <Differences label={t("Subject")} before={older.subject} after={newer.subject} />
            <Differences
              label={contents.label === "Blocks" ? t("Blocks") : contents.label}
              before={contents.before}
              after={contents.after}
            />
          </div>
        )}
      </div>
    </div>
  );
}
