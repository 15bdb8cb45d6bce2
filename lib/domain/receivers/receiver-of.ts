import { sql, type SQL } from "drizzle-orm";
import { receivingDomains } from "@/db/schema";
import { domainsOfProvider } from "./providers";

/** SQL of the domain of an address, in lower case. */
export const recipientDomain = (address: SQL) => sql`lower(split_part(${address}, '@', -1))`;

/** SQL of who takes the mail for an address, by what is known of its domain's MX; else that domain. */
export const receiverOf = (address: SQL) => sql`coalesce((
    select ${receivingDomains.receiver} from ${receivingDomains}
    where ${receivingDomains.name} = ${recipientDomain(address)}
  ), ${recipientDomain(address)})`;

/** SQL: whether an address is at a provider, as figures by provider name it. Looked up for each address. */
export const isAtProvider = (address: SQL, name: string): SQL =>
  sql`${receiverOf(address)} = any(${sql.param(domainsOfProvider(name) ?? [name.toLowerCase()])}::text[])`;
