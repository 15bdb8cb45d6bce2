import { expect, test } from "vitest";
import { compareTexts, type ComparedLine } from "./compare-texts";

/** `[-gone-]{+come+}`, and `…5` for five lines that are left out. */
const shown = (lines: readonly ComparedLine[] | null) =>
  lines?.map((line) =>
    line.kind !== "line"
      ? line.kind === "more"
        ? "more"
        : `…${line.lines}`
      : line.pieces
          .map(({ text, kind }) =>
            kind === "same" ? text : kind === "removed" ? `[-${text}-]` : `{+${text}+}`,
          )
          .join(""),
  );

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

test("a changed word is marked within its line, between the lines around it", () => {
  const before = [...numbered(1, 9), "Read more soon", ...numbered(11, 20)].join("\n");
  const after = [...numbered(1, 9), "Read it soon", ...numbered(11, 20)].join("\n");
  expect(shown(compareTexts(before, after))).toEqual([
    ...["…7", "line 8", "line 9"],
    "Read [-more-]{+it+} soon",
    ...["line 11", "line 12", "…8"],
  ]);
});

test("lines that came, went or have nothing in common are marked whole", () => {
  expect(shown(compareTexts("a\nb\nc", "a\nc"))).toEqual(["a", "[-b-]", "c"]);
  expect(shown(compareTexts("a\nc", "a\nb\nc"))).toEqual(["a", "{+b+}", "c"]);
  expect(shown(compareTexts("alpha", "beta"))).toEqual(["[-alpha-]", "{+beta+}"]);
  expect(shown(compareTexts("x\nalpha beta", "x\nbeta\ngamma"))).toEqual([
    ...["x", "[-alpha beta-]", "{+beta+}", "{+gamma+}"],
  ]);
});

test("the same text has no differences", () => {
  expect(compareTexts("a\nb", "a\nb")).toEqual([]);
});

test("megabytes without a line in common are given up soon, and long unchanged text is shortened", () => {
  const noise = (seed: number) =>
    Array.from({ length: 60_000 }, (_, n) => ((n * 7919 + seed) % 1_000_003).toString(36)).join(
      "\n",
    );
  const started = performance.now();
  expect(compareTexts(noise(1), noise(500_000))).toBeNull();
  expect(performance.now() - started).toBeLessThan(5_000);

  const long = "word ".repeat(10_000);
  const [line] = compareTexts(`${long}old`, `${long}new`) ?? [];
  if (line?.kind !== "line") throw new Error("A line was expected.");
  expect(line.pieces.at(0)?.text.length).toBeLessThan(400);
  expect(line.pieces.slice(1)).toEqual([
    { text: "old", kind: "removed" },
    { text: "new", kind: "added" },
  ]);
});

test("a line of megabytes is shown without its middle", () => {
  const text = (letter: string) => `${letter}begin ${letter.repeat(2_000_000)} ${letter}end`;
  const lines = compareTexts(text("a"), text("b")) ?? [];
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    if (line.kind !== "line") throw new Error("A line was expected.");
    expect(line.pieces[0]?.text).toMatch(/^[ab]begin [^]* … [^]* [ab]end$/);
    expect(line.pieces[0]?.text.length).toBeLessThan(6_000);
  }
});

test("many long lines take no longer than one", () => {
  const text = (mark: string) =>
    Array.from({ length: 200 }, (_, n) =>
      Array.from({ length: 2_000 }, (_, word) => `${mark}${(n * word) % 97}`).join(" "),
    ).join("\n");
  const started = performance.now();
  const lines = compareTexts(text("a"), text("b"));
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(lines).toHaveLength(400);
});

test("of very many changes the first are shown, and that there are more", () => {
  const lines = compareTexts("begin\nend", ["begin", ...numbered(1, 600), "end"].join("\n"));
  expect(shown(lines)?.slice(0, 2)).toEqual(["begin", "{+line 1+}"]);
  expect(lines).toHaveLength(502);
  expect(lines?.at(-1)).toEqual({ kind: "more" });
});
