import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { domains, sendingConnections } from "@/db/schema";
import type { SesAccount } from "@/lib/ground/aws/ses-requests";
import { env } from "@/lib/ground/env/env";
import { awsKeyOf, parseProvider } from "@/lib/ground/providers/settings";

const usual = alias(sendingConnections, "usual");
const way = alias(sendingConnections, "way");

/** The account that MAIL_TRANSPORT names; null: the installation's mail goes another way. */
export function installationAccount(): SesAccount | null {
  const { MAIL_TRANSPORT, MAIL_TRANSPORT_KEY: key = "" } = env();
  const settings = parseProvider(MAIL_TRANSPORT);
  return settings?.kind === "ses" ? { region: settings.region, key: awsKeyOf(key) } : null;
}

/**
 * SQL: the accounts at Amazon SES that mail of the domains `of` may leave through, as (domain_id, connection_id, region,
 * name): their connection or the standard one, what stands in for it, or the installation's.
 */
export function sesWays(of: SQL): SQL {
  const region = installationAccount()?.region ?? null;
  return sql`select ${domains.id} as domain_id, ${way.id} as connection_id,
      ${way.settings} ->> 'region' as region, ${domains.name}
    from ${domains}
    join ${sendingConnections} as usual on ${usual.projectId} = ${domains.projectId}
      and (${usual.id} = ${domains.connectionId}
        or (${domains.connectionId} is null and ${usual.standard}))
    join ${sendingConnections} as way on ${way.projectId} = ${domains.projectId}
      and ${way.id} in (${usual.id}, ${usual.fallbackId}) and ${way.kind} = 'ses'
    where not ${domains.builtIn} and ${of}
    union all
    select ${domains.id}, null::uuid, ${region}::text, ${domains.name} from ${domains}
    where ${region}::text is not null and not ${domains.builtIn}
      and ${domains.connectionId} is null and ${of}
      and not exists (select from ${sendingConnections} as usual
        where ${usual.projectId} = ${domains.projectId} and ${usual.standard})`;
}
