import type { MarkedToken, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { plainText, type MarkdownDocument } from "./read";
import { Spans, type MarkdownTargets } from "./spans";

interface Rendering {
  names: MarkdownDocument["names"];
  targets: MarkdownTargets;
  /** What a code block holds, as readers are to copy it. */
  code: (text: string) => string;
}

const headingLook: Readonly<Record<number, string>> = {
  2: "display mt-6 border-t pt-6 text-2xl first:mt-0 first:border-t-0 first:pt-0 print:break-after-avoid",
  3: "mt-3 text-lg font-semibold print:break-after-avoid",
};

function Heading({ token, names, targets }: Rendering & { token: Tokens.Heading }) {
  const Name = token.depth <= 2 ? "h2" : "h3";
  const id = names.get(token);
  return (
    <Name id={id} className={`group scroll-mt-6 ${headingLook[token.depth <= 2 ? 2 : 3] ?? ""}`}>
      <Spans tokens={token.tokens ?? []} targets={targets} />
      <a
        href={`#${id ?? ""}`}
        aria-label={`Link to “${plainText(token.tokens ?? [])}”`}
        className="ml-2 text-faint no-underline opacity-0 group-hover:opacity-100 hover:text-accent-ink focus-visible:opacity-100 print:hidden"
      >
        #
      </a>
    </Name>
  );
}

function List({ token, ...rendering }: Rendering & { token: Tokens.List }) {
  const Name = token.ordered ? "ol" : "ul";
  return (
    <Name
      className={`flex flex-col gap-2 pl-5 marker:text-accent-ink ${token.ordered ? "list-decimal" : "list-disc"}`}
    >
      {token.items.map((item, index) => (
        <li key={index} className="pl-1">
          <Blocks tokens={item.tokens as MarkedToken[]} {...rendering} />
        </li>
      ))}
    </Name>
  );
}

function TableBlock({ token, names, targets }: Rendering & { token: Tokens.Table }) {
  return (
    <Table
      label={names.get(token) ?? ""}
      className={token.header.length > 2 ? "min-w-2xl" : "min-w-md"}
    >
      <TableHead>
        {token.header.map((cell, index) =>
          cell.text === "" ? (
            <td key={index} />
          ) : (
            <HeaderCell key={index}>
              <Spans tokens={cell.tokens} targets={targets} />
            </HeaderCell>
          ),
        )}
      </TableHead>
      <tbody>
        {token.rows.map((row, line) => (
          <Row key={line}>
            {row.map((cell, index) => (
              <Cell key={index} className="align-top! leading-6">
                <Spans tokens={cell.tokens} targets={targets} />
              </Cell>
            ))}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function Block({ token, ...rendering }: Rendering & { token: MarkedToken }): ReactNode {
  const { targets } = rendering;
  switch (token.type) {
    case "heading":
      return <Heading token={token} {...rendering} />;
    case "paragraph":
      return (
        <p className="leading-7">
          <Spans tokens={token.tokens ?? []} targets={targets} />
        </p>
      );
    // A list item's own line.
    case "text":
      return <Spans tokens={token.tokens ?? [token]} targets={targets} />;
    case "list":
      return <List token={token} {...rendering} />;
    case "code":
      return (
        <CodeBlock code={rendering.code(token.text)} label={rendering.names.get(token) ?? "Code"} />
      );
    case "table":
      return <TableBlock token={token} {...rendering} />;
    case "space":
      return null;
    default:
      throw new Error(`Pages do not show ${token.type}: ${token.raw.slice(0, 80)}`);
  }
}

function Blocks({ tokens, ...rendering }: Rendering & { tokens: readonly MarkedToken[] }) {
  return tokens.map((token, index) => (
    <Fragment key={index}>
      <Block token={token} {...rendering} />
    </Fragment>
  ));
}

/** What a document says below its title. */
export function Markdown({
  document,
  code = (text) => text,
  ...targets
}: MarkdownTargets & { document: MarkdownDocument; code?: Rendering["code"] }) {
  return (
    <div className="flex min-w-0 flex-col gap-4 text-soft [&_h2]:text-ink [&_h3]:text-ink">
      <Blocks tokens={document.body} names={document.names} targets={targets} code={code} />
    </div>
  );
}
