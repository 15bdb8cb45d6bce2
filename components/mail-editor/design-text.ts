import type { EmailDesign } from "@/lib/mail/design/schema";
import { blockNames, type BlockName } from "./block-words";

interface AnyNode {
  type: string;
  text?: string;
  attrs?: Record<string, unknown>;
  content?: AnyNode[];
}

const words = (node: AnyNode): string =>
  node.text ??
  (node.type === "placeholder"
    ? `{{ ${String(node.attrs?.["name"])} }}`
    : (node.content ?? []).map(words).join(""));

function lines(node: AnyNode, depth: number): string[] {
  const name = blockNames[node.type as BlockName];
  const inner = node.content ?? [];
  const isText = inner.every(({ type }) => ["text", "placeholder", "break"].includes(type));
  const shown = Object.entries(node.attrs ?? {})
    .filter(([, value]) => value !== "" && value !== null)
    .map(([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const label = [name, ...shown].join(", ");
  const indent = "  ".repeat(depth);
  return isText
    ? [`${indent}${label}${inner.length > 0 ? `: ${words(node)}` : ""}`]
    : [`${indent}${label}`, ...inner.flatMap((child) => lines(child, depth + 1))];
}

/** A design as lines of text, one per block, for people to compare. */
export function designText(design: EmailDesign | null): string {
  if (!design) return "";
  const { theme } = design.attrs;
  return [
    `Look: ${Object.entries(theme)
      .map(([key, value]) => `${key} ${value}`)
      .join(", ")}`,
    ...(design.content as AnyNode[]).flatMap((block) => lines(block, 0)),
  ].join("\n");
}
