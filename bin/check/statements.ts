import ts from "typescript";

/** A statement as contained in one template; templates within it count separately. */
interface Statement {
  /** Where it begins, counted from 1. */
  line: number;
  lines: number;
}

/** The sql`...` templates of a source file, in their order. */
export function statementsOf(file: string, text: string): Statement[] {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const statements: Statement[] = [];
  /** Returns the lines that templates below the node take beyond the one they begin on. */
  const visit = (node: ts.Node): number => {
    const place = isStatement(node) ? statements.push({ line: 0, lines: 0 }) - 1 : null;
    let within = 0;
    ts.forEachChild(node, (child) => {
      within += visit(child);
    });
    if (place === null || !isStatement(node)) return within;
    const first = source.getLineAndCharacterOfPosition(node.template.getStart()).line;
    const last = source.getLineAndCharacterOfPosition(node.template.end).line;
    statements[place] = { line: first + 1, lines: last - first + 1 - within };
    return last - first;
  };
  visit(source);
  return statements;
}

function isStatement(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && node.tag.getText() === "sql";
}
