import { Fragment, type ReactNode } from "react";
import { tPieces } from "@/lib/ground/texts/t";

type Words = (words: ReactNode) => ReactNode;

/**
 * A text in the reader's language with elements in it: `rich("Read <link>more</link>", { link: (words) => <a>{words}</a> })`.
 * `{name}` becomes a value or element.
 */
export function rich(text: string, values: Readonly<Record<string, ReactNode | Words>>): ReactNode {
  const made = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "function"
        ? (words: ReactNode[]) => value(<>{words.map(keyed)}</>)
        : typeof value === "boolean" || value === null || value === undefined
          ? ""
          : value,
    ]),
  );
  return tPieces<ReactNode>(text, made as never).map(keyed);
}

const keyed = (piece: ReactNode, at: number) => <Fragment key={at}>{piece}</Fragment>;
