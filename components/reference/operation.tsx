import { ChevronRight } from "lucide-react";
import type { ReferenceOperation } from "@/lib/doors/http/reference/reference";
import { detailsHtml } from "./details-html";
import { Examples } from "./examples";
import { Method } from "./method";

/** One operation, closed until its heading is pressed or the address names it. */
export function Operation({ operation }: { operation: ReferenceOperation }) {
  const { name, method, path, summary, requests, answers } = operation;
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
        <div
          className="flex min-w-0 flex-col gap-6"
          dangerouslySetInnerHTML={{ __html: detailsHtml(operation) }}
        />
        <Examples
          summary={summary}
          requests={requests}
          answers={answers.flatMap(({ status, example }) =>
            example === null ? [] : [{ status, example }],
          )}
        />
      </div>
    </details>
  );
}
