import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { fixed } from "@/db/names";
import { suppressions } from "@/db/schema";

/*
 * What keeps mail from an address: a suppression of the address itself, or of its whole domain, kept as
 * `@example.com` with the reason `domain`. Subdomains are domains of their own. Both are looked up by equality, each through an index; nearly everybody's index of domains is empty.
 */

/** Suppressions of whole domains, alongside `suppressions` of addresses. */
const suppressedDomains = alias(suppressions, "suppressed_domains");

/** SQL: the address's domain as a suppression has it. An address has one @: see normalizeAddress. */
export const domainPart = (email: SQLWrapper): SQL =>
  sql`'@' || split_part(lower(${email}), '@', 2)`;

/** SQL: the row of `suppressions` is the address's own. */
export const suppressesAddress = (projectId: SQLWrapper, email: SQLWrapper): SQL =>
  sql`${suppressions.projectId} = ${projectId} and lower(${suppressions.email}) = lower(${email})`;

/** SQL: the row of `suppressed_domains` is the address's whole domain. */
const suppressesDomain = (projectId: SQLWrapper, email: SQLWrapper): SQL =>
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

/** SQL: the address is of a domain that the project (a uuid) suppresses; these are read once. */
export const ofSuppressedDomain = (projectId: string, email: SQLWrapper): SQL => sql`(
  exists (select from ${suppressions} where ${suppressions.projectId} = ${projectId}
    and ${suppressions.reason} = 'domain')
  and ${domainPart(email)} in (select unnest(array(
    select lower(${suppressions.email}) from ${suppressions}
    where ${suppressions.projectId} = ${projectId} and ${suppressions.reason} = 'domain'))) is true)`;

/** SQL: the row of `suppressions` is the address's own or its whole domain. */
export const suppresses = (
  projectId: string,
  email: string,
): SQL => sql`(${suppressions.projectId} = ${projectId}
  and lower(${suppressions.email}) in (lower(${email}::text), ${domainPart(sql`${email}::text`)}))`;

/**
 * SQL: mail may be sent to the address. Looked up for each one by its whole key, which no `exists` makes sure of: joined,
 * all of a project's suppressions were read for each of its contacts while there were no statistics about it.
 */
export const notSuppressed = (projectId: SQLWrapper, email: SQLWrapper): SQL => sql`(
    select true from ${suppressions} where ${suppressesAddress(projectId, email)}) is null
  and (select true from ${suppressions} ${suppressedDomains}
    where ${suppressesDomain(projectId, email)}) is null`;
