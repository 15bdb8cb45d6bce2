import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { fixed } from "@/db/names";
import { suppressions } from "@/db/schema";

/*
 * What keeps mail from an address: a suppression of the address itself, or of its whole domain, kept as
 * `@example.com` with the reason `domain`. Subdomains are domains of their own. Both are looked up by equality, each through an index; nearly everybody's index of domains is empty.
 */

/** Suppressions of whole domains, alongside `suppressions` of addresses. */
export const suppressedDomains = alias(suppressions, "suppressed_domains");

/** SQL: the address's domain as a suppression has it. An address has one @: see normalizeAddress. */
const domainPart = (email: SQLWrapper): SQL => sql`'@' || split_part(lower(${email}), '@', 2)`;

/** SQL: the row of `suppressions` is the address's own. */
export const suppressesAddress = (projectId: SQLWrapper, email: SQLWrapper): SQL =>
  sql`${suppressions.projectId} = ${projectId} and lower(${suppressions.email}) = lower(${email})`;

/** SQL: the row of `suppressed_domains` is the address's whole domain. */
export const suppressesDomain = (projectId: SQLWrapper, email: SQLWrapper): SQL =>
  sql`${suppressedDomains.projectId} = ${projectId} and ${suppressedDomains.reason} = 'domain'
    and lower(${suppressedDomains.email}) = ${domainPart(email)}`;

/** SQL joins that never multiply a row with an address; joinedReason reads them. */
export const suppressionJoins = (projectId: SQLWrapper, email: SQLWrapper): SQL => sql`
  left join ${suppressions} on ${suppressesAddress(projectId, email)}
  left join ${suppressions} ${suppressedDomains} on ${suppressesDomain(projectId, email)}`;

/** SQL: why nothing is sent to the address that suppressionJoins looks up; null when mail may be sent. */
export const joinedReason = sql`coalesce(${suppressions.reason}, ${suppressedDomains.reason})`;

/**
 * SQL: the same for the address in a column, with its own look-ups. Written out here because drizzle would omit the
 * tables of a field's columns, which would then be compared with themselves.
 */
export const reasonFor = (projectId: SQLWrapper, email: SQLWrapper): SQL =>
  fixed(sql`coalesce(
  (select ${suppressions.reason} from ${suppressions} where ${suppressesAddress(projectId, email)}),
  (select ${suppressedDomains.reason} from ${suppressions} ${suppressedDomains}
    where ${suppressesDomain(projectId, email)}))`);

/** SQL: the row of `suppressions` is the address's own or its whole domain. */
export const suppresses = (
  projectId: string,
  email: string,
): SQL => sql`(${suppressions.projectId} = ${projectId}
  and lower(${suppressions.email}) in (lower(${email}::text), ${domainPart(sql`${email}::text`)}))`;

/** SQL: mail may be sent to the address. */
export const notSuppressed = (projectId: SQLWrapper, email: SQLWrapper): SQL => sql`not exists (
    select from ${suppressions} where ${suppressesAddress(projectId, email)})
  and not exists (
    select from ${suppressions} ${suppressedDomains} where ${suppressesDomain(projectId, email)})`;
