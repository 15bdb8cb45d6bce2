import { Section } from "@/components/ui/page-header";
import type { ReferenceGroup } from "@/lib/doors/http/reference/reference";
import { Operation } from "./operation";
import { Method } from "./method";
import { OpenTarget } from "./open-target";
import { ReaderKey } from "./reader-key";

/** The whole API: contents, then each operation, closed until it is wanted. `withKey`: examples take a key. */
export function Reference({
  groups,
  withKey,
}: {
  groups: readonly ReferenceGroup[];
  withKey: boolean;
}) {
  return (
    <>
      <OpenTarget />
      {withKey && <ReaderKey />}
      <nav aria-label="Contents" className="columns-1 gap-8 sm:columns-2 lg:columns-3">
        {groups.map((group) => (
          <div key={group.tag} className="mb-5 break-inside-avoid">
            <p className="eyebrow mb-1">{group.tag}</p>
            <ul>
              {group.operations.map((operation) => (
                <li key={operation.name}>
                  <a
                    href={`#${operation.name}`}
                    className="flex items-baseline gap-2 py-0.5 text-sm text-soft hover:text-accent-ink"
                  >
                    <Method method={operation.method} />
                    {operation.summary}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {groups.map((group) => (
        <div key={group.tag} className="mt-9">
          <Section title={group.tag} description={group.description}>
            <div className="border-t">
              {group.operations.map((operation) => (
                <Operation key={operation.name} operation={operation} />
              ))}
            </div>
          </Section>
        </div>
      ))}
    </>
  );
}
