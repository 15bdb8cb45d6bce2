import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { PageHeader, Section } from "@/components/ui/page-header";
import type { ReferenceGroup, ReferenceOperation } from "@/lib/doors/http/reference/reference";
import { t } from "@/lib/ground/texts/t";
import { detailsHtml } from "./details-html";
import { Method } from "./method";
import { OperationLink } from "./operation-link";
import { KeyExample, ReaderKey } from "./reader-key";

/** One operation: what it takes and answers beside examples, and what else there is of its kind. */
export function OperationPage({
  found: { group, operation },
  reference,
  withKey,
}: {
  found: { group: ReferenceGroup; operation: ReferenceOperation };
  /** The page of contents, below which the operations' pages lie. */
  reference: { href: string; label: string };
  /** The examples take the reader's key. */
  withKey: boolean;
}) {
  const { method, path, summary, requests, answers } = operation;
  const others = group.operations.filter((other) => other !== operation);
  return (
    <>
      <PageHeader
        title={summary}
        back={reference}
        meta={
          <span className="flex items-baseline gap-2">
            <Method method={method} />
            <code className="font-mono text-sm wrap-anywhere">{path}</code>
          </span>
        }
      />
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
        <div
          className="flex min-w-0 flex-col gap-6"
          dangerouslySetInnerHTML={{ __html: detailsHtml(operation) }}
        />
        <div className="flex min-w-0 flex-col gap-6">
          {requests.map(({ title, curl }) => (
            <Example key={title} title={title}>
              <KeyExample code={curl} label={`curl: ${summary}, ${title}`} />
            </Example>
          ))}
          {withKey && <ReaderKey />}
          {answers.map(
            ({ status, example }) =>
              example !== null && (
                <Example key={status} title={`Response ${status}`}>
                  <CodeBlock code={example} label={`Response ${status}: ${summary}`} />
                </Example>
              ),
          )}
        </div>
      </div>
      {others.length > 0 && (
        <nav aria-label={t("More about {thing}", { thing: group.tag })} className="mt-12">
          <Section title={t("More about {thing}", { thing: group.tag })}>
            <ul className="columns-1 gap-8 sm:columns-2 lg:columns-3">
              {others.map((other) => (
                <li key={other.name}>
                  <OperationLink operation={other} path={reference.href} />
                </li>
              ))}
            </ul>
          </Section>
        </nav>
      )}
    </>
  );
}

function Example({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="eyebrow mb-1.5">{title}</h2>
      {children}
    </section>
  );
}
