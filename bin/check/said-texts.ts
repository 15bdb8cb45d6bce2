import ts from "typescript";
import { wordless } from "@/lib/ground/texts/t";

/** A text of the dashboard that the code says, and where. */
export interface Said {
  text: string;
  /** Whether it is an ICU message: texts without values are taken as they stand. */
  isMessage: boolean;
  file: string;
  line: number;
}

const speakers = new Set(["t", "rich", "tPieces", "inEnglish"]);
/** Where the functions that say texts are made, of each other. */
const speechItself = new Set([
  "components/ui/rich.tsx",
  "lib/ground/amount.ts",
  "lib/ground/texts/kept-text.ts",
  "lib/ground/texts/t.ts",
]);

/**
 * The texts that a source file says with t, rich, inEnglish, phrases and counted. A text that is put together elsewhere,
 * or that is looked up when the module is read and so for nobody, is a fault.
 */
export function saidTexts(file: string, source: string): { said: Said[]; faults: string[] } {
  const said: Said[] = [];
  const faults: string[] = [];
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind);
  const importsCounted = /import \{[^}]*\bcounted\b[^}]*\} from/.test(source);
  const lineOf = (node: ts.Node) => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const say = (node: ts.Node, text: string, isMessage: boolean) =>
    said.push({ text, isMessage, file, line: lineOf(node) });
  const fault = (node: ts.Node, what: string) => faults.push(`${file}:${lineOf(node)} ${what}`);

  const sayPhrases = (node: ts.Node, isWhole: boolean): void => {
    if (ts.isStringLiteralLike(node)) return void say(node, node.text, false);
    if (ts.isArrayLiteralExpression(node)) {
      for (const element of node.elements) sayPhrases(element, false);
    } else if (ts.isObjectLiteralExpression(node)) {
      for (const property of node.properties) {
        if (!ts.isPropertyAssignment(property)) continue;
        const { name, initializer } = property;
        const key = ts.isComputedPropertyName(name) ? "" : name.text;
        if (isWhole || !wordless.has(key)) sayPhrases(initializer, false);
      }
    } else if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
      sayPhrases(node.expression, isWhole);
    }
  };

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const name = node.expression.text;
      const [first, second, third] = node.arguments;
      if (speakers.has(name) && first && !speechItself.has(file)) {
        if (!ts.isStringLiteralLike(first)) fault(node, `${name}() wants its text written there`);
        else say(node, first.text, second !== undefined);
        // What is written down has no reader yet.
        if (name !== "inEnglish" && !isInFunction(node)) {
          fault(node, `${name}() is called before there is a reader`);
        }
      } else if (name === "phrases" && first) {
        sayPhrases(first, !ts.isArrayLiteralExpression(first));
      } else if (name === "counted" && second && importsCounted) {
        const plural = third && ts.isStringLiteralLike(third) ? third.text : undefined;
        if (!ts.isStringLiteralLike(second) || (third && plural === undefined)) {
          fault(node, "counted() wants its noun written there");
        } else say(node, countedText(second.text, plural), true);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { said, faults };
}

const countedText = (singular: string, plural = `${singular}s`) =>
  `{count, plural, one {# ${singular}} other {# ${plural}}}`;

function isInFunction(node: ts.Node): boolean {
  for (let parent = node.parent; parent; parent = parent.parent) {
    if (ts.isFunctionLike(parent)) return true;
  }
  return false;
}
