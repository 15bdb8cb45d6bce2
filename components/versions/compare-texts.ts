import { diffArrays, diffWordsWithSpace } from "diff";

export interface Piece {
  text: string;
  kind: "same" | "removed" | "added";
}

/** A line of two texts laid over each other, or a run of lines that are the same in both, of which none is shown. */
export type ComparedLine =
  | { kind: "line"; pieces: readonly Piece[] }
  | { kind: "skipped"; lines: number }
  /** The end: what differs from here on is left out. */
  | { kind: "more" };

/** Unchanged lines shown on either side of a change. */
const context = 2;
/** Characters of a piece: a browser that lays megabytes out in one line stands still. */
const longest: Record<Piece["kind"], number> = { same: 300, removed: 5_000, added: 5_000 };
/** Milliseconds for the whole: texts of megabytes may have nothing in common. */
const patience = 400;
/** Lines with a change; more than that nobody reads. */
const mostChanged = 500;

/** A long one without its middle: what is the same is there to show where a change is. */
function piece(text: string, kind: Piece["kind"]): Piece {
  const most = longest[kind];
  if (text.length <= most) return { text, kind };
  return { text: `${text.slice(0, most / 2)} … ${text.slice(-most / 2)}`, kind };
}

const line = (text: string, kind: Piece["kind"]): ComparedLine => ({
  kind: "line",
  pieces: [piece(text, kind)],
});

/**
 * One line in two versions, word by word; both whole where they have too little in common, or where finding out
 * would take longer than until `deadline`.
 */
function wordByWord(removed: string, added: string, deadline: number): readonly ComparedLine[] {
  const timeout = deadline - performance.now();
  const changes = timeout > 0 ? diffWordsWithSpace(removed, added, { timeout }) : undefined;
  const isSimilar = changes?.some(
    ({ value, added: isNew, removed: isOld }) => !isNew && !isOld && value.trim() !== "",
  );
  if (!changes || !isSimilar) return [line(removed, "removed"), line(added, "added")];
  const pieces = changes.map(({ value, added: isNew, removed: isOld }) =>
    piece(value, isNew ? "added" : isOld ? "removed" : "same"),
  );
  return [{ kind: "line", pieces }];
}

/** Lines that were replaced: pair by pair where as many came as went. */
function replaced(
  removed: readonly string[],
  added: readonly string[],
  deadline: number,
): readonly ComparedLine[] {
  if (removed.length === added.length) {
    return removed.flatMap((text, index) => wordByWord(text, added[index] ?? "", deadline));
  }
  return [
    ...removed.map((text) => line(text, "removed")),
    ...added.map((text) => line(text, "added")),
  ];
}

/** A run of unchanged lines, of which those next to a change are shown. */
function unchanged(lines: readonly string[], isFirst: boolean, isLast: boolean): ComparedLine[] {
  const [before, after] = [isFirst ? 0 : context, isLast ? 0 : context];
  if (lines.length <= before + after + 1) return lines.map((text) => line(text, "same"));
  return [
    ...lines.slice(0, before).map((text) => line(text, "same")),
    { kind: "skipped" as const, lines: lines.length - before - after },
    ...lines.slice(lines.length - after).map((text) => line(text, "same")),
  ];
}

/**
 * Both texts laid over each other, with what went and what came; null: they differ too much for that. Empty: they
 * are the same.
 */
export function compareTexts(before: string, after: string): readonly ComparedLine[] | null {
  if (before === after) return [];
  const deadline = performance.now() + patience;
  const runs = diffArrays(before.split("\n"), after.split("\n"), { timeout: patience });
  if (!runs) return null;
  const compared: ComparedLine[] = [];
  for (let at = 0; at < runs.length; at++) {
    const [run, next] = [runs[at], runs[at + 1]];
    if (!run) continue;
    if (!run.added && !run.removed) {
      compared.push(...unchanged(run.value, at === 0, at === runs.length - 1));
    } else if (next && (next.added || next.removed)) {
      const [removed, added] = run.removed ? [run.value, next.value] : [next.value, run.value];
      compared.push(...replaced(removed, added, deadline));
      at++;
    } else {
      compared.push(...run.value.map((text) => line(text, run.added ? "added" : "removed")));
    }
  }
  return bounded(compared);
}

/** The beginning of a comparison that has too many changes. */
function bounded(lines: readonly ComparedLine[]): readonly ComparedLine[] {
  let changed = 0;
  const end = lines.findIndex(
    (each) =>
      each.kind === "line" &&
      each.pieces.some(({ kind }) => kind !== "same") &&
      ++changed > mostChanged,
  );
  return end === -1 ? lines : [...lines.slice(0, end), { kind: "more" }];
}
