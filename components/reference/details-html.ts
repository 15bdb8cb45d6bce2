import { html } from "hono/html";
import type { ReferenceField, ReferenceOperation } from "@/lib/doors/http/reference/reference";

/*
 * What an operation takes and answers, as HTML made once. As elements, a web process made these lists of up to hundreds of
 * fields anew each time somebody opened the page.
 */

const indents = ["", "pl-4", "pl-8", "pl-12"];

const part = (title: string, content: unknown) => html`
  <div>
    <h2 class="eyebrow mb-1.5">${title}</h2>
    ${content}
  </div>
`;

/** A description, with what stands between backticks as code. */
const prose = (text: string) =>
  text
    .split("`")
    .map((piece, at) =>
      at % 2 === 1 ? html`<code class="font-mono text-xs">${piece}</code>` : piece,
    );

const fieldItem = (field: ReferenceField & { in?: string }) => html`
  <li class="border-b py-1.5 text-sm last:border-b-0 ${indents[field.depth] ?? "pl-12"}">
    <span class="flex flex-wrap items-baseline gap-x-2">
      <code class="font-mono text-xs font-semibold">${field.name}</code>
      <span class="font-mono text-2xs wrap-anywhere text-faint">${field.type}</span>
      ${field.in ? html`<span class="text-2xs text-faint">in the ${field.in}</span>` : ""}
      ${
        field.required
          ? html`<span class="text-2xs font-medium text-accent-ink">required</span>`
          : ""
      }
    </span>
    ${field.description ? html`<span class="block text-soft">${prose(field.description)}</span>` : ""}
  </li>
`;

const fieldList = (title: string, fields: readonly (ReferenceField & { in?: string })[]) =>
  fields.length === 0
    ? ""
    : part(
        title,
        html`<ul>
          ${fields.map(fieldItem)}
        </ul>`,
      );

const errorItem = ({ status, codes }: ReferenceOperation["errors"][number]) => html`
  <div class="flex gap-4 border-b py-1 last:border-b-0">
    <dt class="w-10 font-mono text-xs leading-5 text-faint">${status}</dt>
    <dd class="min-w-0 font-mono text-xs leading-5 wrap-anywhere">${codes}</dd>
  </div>
`;

function make(operation: ReferenceOperation): string {
  const { description, parameters, body, answers, errors } = operation;
  const content = html`
    ${description ? html`<p class="text-sm">${prose(description)}</p>` : ""}
    ${fieldList("Parameters", parameters)} ${fieldList("Body", body)}
    ${answers.map(({ status, fields }) => fieldList(`Response ${status}`, fields))}
    ${part("Errors", html`<dl class="text-sm">${errors.map(errorItem)}</dl>`)}
  `;
  return `${content as string}`
    .split("\n")
    .map((line) => line.trim())
    .join(" ");
}

const made = new WeakMap<ReferenceOperation, string>();

/** An operation's description, parameters, body, answers and errors. Every text in it is escaped. */
export function detailsHtml(operation: ReferenceOperation): string {
  let known = made.get(operation);
  if (known === undefined) made.set(operation, (known = make(operation)));
  return known;
}
