import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import type { ReferenceField, ReferenceOperation } from "@/lib/doors/http/reference/reference";
import { Method } from "./method";
import { KeyExample } from "./reader-key";

/** One operation, closed until its heading is pressed or the address names it. */
export function Operation({ operation }: { operation: ReferenceOperation }) {
  const { name, method, path, summary, description, requests, answers, errors } = operation;
  return (
    <details className="group border-b">
      <summary className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-3 marker:content-none">
        <ChevronRight
          className="size-4 self-center text-faint transition-transform group-open:rotate-90"
          aria-hidden
        />
        <Method method={method} />
        <code className="font-mono text-sm wrap-anywhere">{path}</code>
        <span className="text-sm text-soft">{summary}</span>
      </summary>
      <div id={name} className="grid scroll-mt-16 gap-x-10 gap-y-6 pb-8 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          {description && <p className="text-sm">{description}</p>}
          <Fields
            title="Parameters"
            fields={operation.parameters.map((parameter) => ({
              ...parameter,
              place: parameter.in,
            }))}
          />
          <Fields title="Body" fields={operation.body} />
          {answers.map(({ status, fields }) => (
            <Fields key={status} title={`Response ${status}`} fields={fields} />
          ))}
          <Part title="Errors">
            <dl className="text-sm">
              {errors.map(({ status, codes }) => (
                <div key={status} className="flex gap-4 border-b py-1 last:border-b-0">
                  <dt className="w-10 font-mono text-xs leading-5 text-faint">{status}</dt>
                  <dd className="min-w-0 font-mono text-xs leading-5 wrap-anywhere">{codes}</dd>
                </div>
              ))}
            </dl>
          </Part>
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          {requests.map(({ title, curl }) => (
            <Part key={title} title={title}>
              <KeyExample code={curl} label={`curl: ${summary}, ${title}`} />
            </Part>
          ))}
          {answers.map(
            ({ status, example }) =>
              example && (
                <Part key={status} title={`Response ${status}`}>
                  <CodeBlock code={example} label={`Response ${status}: ${summary}`} />
                </Part>
              ),
          )}
        </div>
      </div>
    </details>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="eyebrow mb-1.5">{title}</h3>
      {children}
    </div>
  );
}

const indents = ["", "pl-4", "pl-8", "pl-12"];

function Fields({
  title,
  fields,
}: {
  title: string;
  fields: readonly (ReferenceField & { place?: string })[];
}) {
  if (fields.length === 0) return null;
  return (
    <Part title={title}>
      <ul>
        {fields.map((field, index) => (
          <li
            key={index}
            className={`border-b py-1.5 text-sm last:border-b-0 ${indents[field.depth] ?? "pl-12"}`}
          >
            <span className="flex flex-wrap items-baseline gap-x-2">
              <code className="font-mono text-xs font-semibold">{field.name}</code>
              <span className="font-mono text-2xs wrap-anywhere text-faint">{field.type}</span>
              {field.place && <span className="text-2xs text-faint">in the {field.place}</span>}
              {field.required && (
                <span className="text-2xs font-medium text-accent-ink">required</span>
              )}
            </span>
            {field.description && <span className="block text-soft">{field.description}</span>}
          </li>
        ))}
      </ul>
    </Part>
  );
}
