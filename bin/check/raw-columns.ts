import { getTableColumns, is } from "drizzle-orm";
import { PgTable, type PgColumn } from "drizzle-orm/pg-core";
import ts from "typescript";
import * as schema from "@/db/schema";

/*
 * Where raw SQL can only mean a table's own column, it takes the name from the schema, so that a renamed column
 * does not compile. Column names of a CTE or of unnest are the statement's own, and are not checked.
 */

/** A column's name written by hand. */
interface HandWritten {
  /** Counted from 1. */
  line: number;
  name: string;
}

const tableColumns = new Map<string, ReadonlySet<string>>();
for (const [name, table] of Object.entries(schema)) {
  if (!is(table, PgTable)) continue;
  const columns = Object.values<PgColumn>(getTableColumns(table)).map((column) => column.name);
  tableColumns.set(name, new Set(columns));
}
const everyColumn = new Set([...tableColumns.values()].flatMap((columns) => [...columns]));

type Token = { line: number } & (
  | { kind: "word" | "sign"; text: string }
  /** What is inside ${}: the table it names, if it names one. */
  | { kind: "value"; table: ReadonlySet<string> | null }
);
const isWord = (token: Token | undefined, ...texts: string[]) =>
  token?.kind === "word" && texts.includes(token.text);
const isSign = (token: Token | undefined, text: string) =>
  token?.kind === "sign" && token.text === text;

const tokenPattern = /--[^\n]*|'[^']*'|[a-z_][\w$]*|[0-9]+|\n|\S/gi;

function tokensOf(source: ts.SourceFile, template: ts.TemplateLiteral): Token[] {
  const tokens: Token[] = [];
  const addText = (node: ts.TemplateLiteralLikeNode) => {
    let { line } = source.getLineAndCharacterOfPosition(node.getStart());
    for (const [text] of node.text.matchAll(tokenPattern)) {
      if (text === "\n") line++;
      else if (/^[a-z_]/i.test(text)) tokens.push({ kind: "word", text, line: line + 1 });
      else if (!text.startsWith("--")) tokens.push({ kind: "sign", text, line: line + 1 });
    }
  };
  if (ts.isNoSubstitutionTemplateLiteral(template)) {
    addText(template);
    return tokens;
  }
  addText(template.head);
  for (const { expression, literal } of template.templateSpans) {
    const { line } = source.getLineAndCharacterOfPosition(expression.getStart());
    const table = ts.isIdentifier(expression) ? tableColumns.get(expression.text) : undefined;
    tokens.push({ kind: "value", table: table ?? null, line: line + 1 });
    addText(literal);
  }
  return tokens;
}

/** The position after the bracket that closes what opens at `start`. */
function closing(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    if (isSign(tokens[at], "(")) depth++;
    else if (isSign(tokens[at], ")") && --depth === 0) return at + 1;
  }
  return tokens.length;
}

/** Names on their own: no alias, no function, and nothing from another relation. */
const bareNames = (tokens: readonly Token[], names: ReadonlySet<string>) =>
  tokens.filter(
    (token, at) =>
      token.kind === "word" &&
      names.has(token.text) &&
      !isWord(tokens[at - 1], "as") &&
      !isSign(tokens[at - 1], ".") &&
      !isSign(tokens[at - 1], ":") &&
      !isSign(tokens[at + 1], ".") &&
      !isSign(tokens[at + 1], "("),
  );

/** The names between brackets that follow `insert into table` and `on conflict`. */
function listedNames(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, at) => {
    const listed =
      isSign(token, "(") &&
      ((isWord(tokens[at - 1], "conflict") && isWord(tokens[at - 2], "on")) ||
        (tokens[at - 1]?.kind === "value" && isWord(tokens[at - 2], "into")));
    return listed ? bareNames(tokens.slice(at, closing(tokens, at)), everyColumn) : [];
  });
}

/** The end of a clause that begins at `start`: where its context ends or the next clause begins. */
function endOf(tokens: readonly Token[], start: number, ...next: string[]): number {
  let at = start;
  while (at < tokens.length && !isSign(tokens[at], ")") && !isWord(tokens[at], ...next)) {
    at = isSign(tokens[at], "(") ? closing(tokens, at) : at + 1;
  }
  return at;
}

/** What an update sets: the name before each `=` that follows `set` or a comma. */
const setNames = (tokens: readonly Token[]) =>
  tokens.flatMap((token, at) => {
    if (!isWord(token, "set")) return [];
    const clause = tokens.slice(at, endOf(tokens, at + 1, "from", "where", "returning"));
    return clause.filter(
      (one, place) =>
        one.kind === "word" &&
        (place === 1 || isSign(clause[place - 1], ",")) &&
        isSign(clause[place + 1], "="),
    );
  });

const returnedNames = (tokens: readonly Token[]) =>
  tokens.flatMap((token, at) =>
    isWord(token, "returning")
      ? bareNames(tokens.slice(at + 1, endOf(tokens, at + 1)), everyColumn)
      : [],
  );

/** Names in a select that reads nothing but tables. */
function selectedNames(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, at) => {
    if (!isWord(token, "select")) return [];
    const end = endOf(tokens, at + 1, "union", "except", "intersect");
    const select = tokens.slice(at + 1, end);
    const from = endOf(select, 0, "from");
    const sources = select
      .map((one, place) => ({ one, place }))
      .filter(({ one, place }) => place >= from && isWord(one, "from", "join"));
    const tables = sources.map(({ place }) => {
      const source = select[place + 1];
      return source?.kind === "value" ? source.table : null;
    });
    if (tables.length === 0 || tables.some((table) => !table)) return [];
    const names = new Set(tables.flatMap((table) => [...(table ?? [])]));
    return bareNames(withoutSelects(select), names);
  });
}

/** Selects between brackets have relations of their own. */
function withoutSelects(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (isSign(token, "(") && isWord(tokens[at + 1], "select", "with")) {
      at = closing(tokens, at) - 1;
    } else if (token) kept.push(token);
  }
  return kept;
}

/** Other names given to tables in the file: ${emails} e, ${monthlyUsage} as used. */
function aliasesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token, at) => {
    if (token.kind !== "value" || !token.table) return [];
    const name = isWord(tokens[at + 1], "as") ? tokens[at + 2] : tokens[at + 1];
    return name?.kind === "word" ? [name.text] : [];
  });
}

const qualifiedNames = (tokens: readonly Token[], qualifiers: ReadonlySet<string>) =>
  tokens.filter((token, at) => {
    const qualifier = tokens[at - 2];
    return (
      token.kind === "word" &&
      everyColumn.has(token.text) &&
      isSign(tokens[at - 1], ".") &&
      qualifier?.kind === "word" &&
      qualifiers.has(qualifier.text)
    );
  });

/** Column names that a source file's raw SQL writes by hand. */
export function handWrittenColumns(file: string, text: string): HandWritten[] {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const templates: Token[][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateLiteral(node)) templates.push(tokensOf(source, node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  const aliases = new Set(["excluded", ...templates.flatMap(aliasesIn)]);
  const written = templates.flatMap((tokens) => [
    ...listedNames(tokens),
    ...setNames(tokens),
    ...returnedNames(tokens),
    ...selectedNames(tokens),
    ...qualifiedNames(tokens, aliases),
  ]);
  return [...new Set(written)].map((token) => ({
    line: token.line,
    name: token.kind === "word" ? token.text : "",
  }));
}
