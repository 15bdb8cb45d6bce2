import { sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import { emailQueue, emails } from "@/db/schema";
import { commonDomains, domainsOfProvider, providerNames } from "@/lib/domain/receivers/providers";
import { receiverOf } from "@/lib/domain/receivers/receiver-of";
import { env } from "@/lib/ground/env/env";
import { AppError } from "@/lib/ground/errors";

/** Receivers by who takes their mail. */
interface Receivers {
  /** As receiverOf names them. */
  names: readonly string[];
  /** Also all that none of the common providers takes. */
  others: boolean;
  /** All but those. */
  inverted: boolean;
}

/** Whose mail a worker claims; what it leaves is for others. */
export interface Part {
  /** uuids; null: all but `notProjects`. */
  projects: readonly string[] | null;
  notProjects: readonly string[];
  /** null: all. */
  receivers: Receivers | null;
}

export const allMail: Part = { projects: null, notProjects: [], receivers: null };

/** What WORKER_PROVIDERS calls the receivers that none of the common providers is behind. */
const others = "other";

function receiversOf({ names, inverted }: { names: readonly string[]; inverted: boolean }) {
  const domains = names
    .filter((name) => name !== others)
    .flatMap((name) => {
      const known = domainsOfProvider(name) ?? (name.includes(".") ? [name] : null);
      if (known) return known;
      const choice = [...providerNames, others].join(", ").toLowerCase();
      throw new AppError(
        "VALIDATION_ERROR",
        `Settings are wrong: WORKER_PROVIDERS: ${name} is neither a domain nor one of ${choice}.`,
      );
    });
  return { names: domains, others: names.includes(others), inverted };
}

/** The part of the mail that this worker's settings give it. Throws one sentence for an unknown provider. */
export function partOfWorker(): Part {
  const { WORKER_PROJECTS: projects, WORKER_PROVIDERS: providers } = env();
  return {
    projects: projects && !projects.inverted ? projects.names : null,
    notProjects: projects?.inverted ? projects.names : [],
    receivers: providers ? receiversOf(providers) : null,
  };
}

/** The same without what none of `projects` has (null: no limit) and without `closed`, all by their uuids. */
export function within(
  part: Part,
  projects: readonly string[] | null,
  closed: readonly string[],
): Part {
  const notProjects = closed.length === 0 ? part.notProjects : [...part.notProjects, ...closed];
  if (projects === null && part.projects === null) return { ...part, notProjects };
  return {
    ...part,
    projects: (projects ?? part.projects ?? []).filter(
      (id) => (part.projects?.includes(id) ?? true) && !notProjects.includes(id),
    ),
    notProjects: [],
  };
}

/** Whether the part has mail of a project at all. */
export const hasProject = ({ projects, notProjects }: Part, id: string): boolean =>
  projects === null ? !notProjects.includes(id) : projects.includes(id);

/** The same as SQL. */
export function ofPart({ projects, notProjects }: Part, project: PgColumn): SQL {
  if (projects !== null) return sql`${project} = any(${sql.param(projects)}::uuid[])`;
  return notProjects.length === 0
    ? sql`true`
    : sql`${project} <> all(${sql.param(notProjects)}::uuid[])`;
}

const served = alias(emails, "served");

/** SQL, empty for a part with all receivers, that leaves of the queue's mail what is to receivers of the part. */
export function toReceivers({ receivers }: Part): SQL {
  if (receivers === null) return sql``;
  const receiver = receiverOf(sql`${served.recipient}`);
  const listed = sql`${receiver} = any(${sql.param(receivers.names)}::text[])${
    receivers.others ? sql` or ${receiver} <> all(${sql.param(commonDomains)}::text[])` : sql``
  }`;
  // Whoever was deleted has no address any more: such mail ends when it is claimed, by whichever worker.
  return sql` and exists (select from ${emails} ${served} where ${served.id} = ${emailQueue.emailId}
        and coalesce(${receivers.inverted ? sql`not (${listed})` : sql`(${listed})`}, true))`;
}
