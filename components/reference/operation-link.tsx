import { Link } from "@/components/ui/link";
import type { ReferenceOperation } from "@/lib/doors/http/reference/reference";
import { Method } from "./method";

/** Leads to the operation's page below `path`. */
export const OperationLink = ({
  operation: { name, method, summary },
  path,
}: {
  operation: Pick<ReferenceOperation, "name" | "method" | "summary">;
  path: string;
}) => (
  <Link
    id={name}
    href={`${path}/${name}`}
    className="flex items-baseline gap-2 py-0.5 text-sm text-soft hover:text-accent-ink"
  >
    <Method method={method} />
    {summary}
  </Link>
);
