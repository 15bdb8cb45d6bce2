import type { ReferenceGroup } from "@/lib/doors/http/reference/reference";
import { FollowAnchor } from "./follow-anchor";
import { OperationLink } from "./operation-link";

/** All operations of an API by what they are about, each leading to its page below `path`. */
export function Contents({ groups, path }: { groups: readonly ReferenceGroup[]; path: string }) {
  return (
    <nav aria-label="Contents" className="columns-1 gap-8 sm:columns-2 lg:columns-3">
      <FollowAnchor />
      {groups.map((group) => (
        <section key={group.tag} className="mb-7 break-inside-avoid">
          <h2 className="display text-lg">{group.tag}</h2>
          <p className="mb-1.5 text-sm text-soft">{group.description}</p>
          <ul>
            {group.operations.map((operation) => (
              <li key={operation.name}>
                <OperationLink operation={operation} path={path} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
