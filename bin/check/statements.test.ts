import { expect, test } from "vitest";
import { statementsOf } from "./statements";

const lines = (count: number) => Array.from({ length: count }, (_, n) => `-- ${n}`).join("\n");

test("a statement is as long as its template, wherever it stands", () => {
  const text = `import { sql } from "drizzle-orm";
const short = sql\`select 1\`;
export const long = () =>
  db.execute<Row>(sql<Row>\`
${lines(70)}\`);`;
  expect(statementsOf("long.ts", text)).toEqual([
    { line: 2, lines: 1 },
    { line: 4, lines: 71 },
  ]);
});

test("fragments within it count by themselves, and so do theirs", () => {
  const inner = `\${sql\`\n${lines(20)}\`}`;
  const middle = `\${all.map((one) => sql\`\n${lines(30)}\n${inner}\`)}`;
  expect(statementsOf("nested.tsx", `<p>{sql\`a\n${middle}\nb\`}</p>;`)).toEqual([
    { line: 1, lines: 3 },
    { line: 2, lines: 32 },
    { line: 33, lines: 21 },
  ]);
});

test("other templates are no statements", () => {
  expect(statementsOf("text.ts", `const text = css\`\n${lines(80)}\` + \`\n\`;`)).toEqual([]);
});
