import { useProjectPath } from "@/components/api/project-context";
import { ConnectionState } from "@/components/connections/connection-state";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-header";
import type { Connection } from "@/lib/domain/connections/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";

/** The project's own connections that do not take its mail as it comes, and what their servers say. */
export function TroubledConnections({ connections }: { connections: readonly Connection[] }) {
  const path = useProjectPath();
  return (
    <Section
      title={t("Sending connections in trouble")}
      description={rich(
        "Servers and providers of your own. They are tested and changed in <link>Settings</link>.",
        {
          link: (words) => (
            <Link
              href={path("settings/connections")}
              className="underline underline-offset-4 hover:text-accent-ink"
            >
              {words}
            </Link>
          ),
        },
      )}
    >
      <ul>
        {connections.map((connection) => (
          <li key={connection.id} className="border-b py-4 last:border-b-0">
            <p className="mb-1.5 font-medium wrap-anywhere">{connection.name}</p>
            <ConnectionState connection={connection} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
