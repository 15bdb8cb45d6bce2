import { isIP } from "node:net";
import { sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { assignments, columns, excluded, insertSelected } from "@/db/names";
import { domains, trackingHosts } from "@/db/schema";
import type { RecordCheck } from "@/db/schema/domains";
import { AppError, invalid } from "@/lib/ground/errors";
import { guardedFetch, GuardedFetchError } from "@/lib/ground/net/guarded-fetch";
import { sign } from "@/lib/ground/secrets";
import { returnPathHost } from "@/lib/mail/return-path";
import { baseUrlOf, hostProofPath } from "@/lib/mail/tracking/urls";
import { appHost } from "./records";

/** A proxy that gets its certificate at the first connection needs some seconds for that. */
const proofMilliseconds = 10_000;
const proofBytes = 200;

/** Throws VALIDATION_ERROR for a host that the links of a domain's mail cannot lead to, CONFLICT where none can be. */
export function checkTrackingHost(host: string, domainName: string): void {
  const target = appHost();
  if (isIP(target.replace(/^\[|\]$/g, "")) !== 0) {
    throw new AppError(
      "CONFLICT",
      "This installation is reached by an IP address (APP_URL): no CNAME record can lead to it.",
    );
  }
  if (!host.endsWith(`.${domainName}`)) {
    throw invalid("trackingHost", `is not a name below ${domainName}, like links.${domainName}`);
  }
  if (host === target) throw invalid("trackingHost", "is this installation's own name");
  if (host === returnPathHost(domainName)) {
    throw invalid("trackingHost", "is the return path's name, which has other records");
  }
}

/** Whose pages are reached under these hosts (A-labels, lower case): the project's uuid, null for unknown ones. */
export async function findHostProjects(
  executor: Executor,
  hosts: readonly string[],
): Promise<(string | null)[]> {
  const rows = await executePrepared<{ host: string; project_id: string }>(
    executor,
    sql`select ${trackingHosts.host}, ${trackingHosts.projectId} from ${trackingHosts}
      where ${trackingHosts.host} = any(${sql.param(hosts)}::text[])`,
  );
  const byHost = new Map(rows.map((row) => [row.host, row.project_id]));
  return hosts.map((host) => byHost.get(host) ?? null);
}

/** Gives a host to the project, unless another project's mail uses it. Returns whether the project has it now. */
async function claimHost(executor: Executor, host: string, projectId: string): Promise<boolean> {
  const rows = await executePrepared(
    executor,
    sql`${insertSelected(trackingHosts, {
      host: sql`${host}`,
      projectId: sql`${projectId}::uuid`,
    })}
    on conflict (${columns(trackingHosts.host)}) do update set ${assignments(trackingHosts, {
      projectId: excluded(trackingHosts.projectId),
    })}
    where ${trackingHosts.projectId} = ${excluded(trackingHosts.projectId)} or not exists (
      select from ${domains} where ${domains.trackingHost} = ${trackingHosts.host}
        and ${domains.trackingSince} is not null
        and ${domains.projectId} = ${trackingHosts.projectId})
    returning ${trackingHosts.host}`,
  );
  return rows.length > 0;
}

/** What every host of the project, and no other host, answers at hostProofPath. */
export const hostProof = (projectId: string) => sign("tracking-host", projectId);

export const takenCheck: RecordCheck = {
  ok: false,
  found: [],
  kind: "different",
  problem: "Another project uses this name for its links.",
};

/** Asks the host itself, as readers of mail will. */
async function askHost(host: string, projectId: string): Promise<"here" | RecordCheck> {
  const url = baseUrlOf(host);
  const check = (kind: "different" | "unreachable", problem: string): RecordCheck => ({
    ok: false,
    found: [],
    kind,
    problem: `${problem} Links keep leading to ${appHost()} until it does.`,
  });
  try {
    const response = await guardedFetch(url + hostProofPath, {
      timeoutMilliseconds: proofMilliseconds,
      largestBytes: proofBytes,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    if (Buffer.concat(chunks).toString("utf8").trim() === hostProof(projectId)) return "here";
    return check(
      response.status >= 500 ? "unreachable" : "different",
      `The CNAME record is right, but ${url} is not answered by this installation.`,
    );
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    const certain = error.fault === "certificate" || error.fault === "too_large";
    return check(
      certain ? "different" : "unreachable",
      `The CNAME record is right, but ${url} does not answer yet. ${error.message}`,
    );
  }
}

/**
 * Takes into use a host through which a verified domain's record leads here: from then on the project's
 * pages are reached under it. Returns the check, with whatever speaks against links to it.
 */
export async function takeIntoUse(
  executor: Executor,
  { host, projectId, before }: { host: string; projectId: string; before: RecordCheck | undefined },
  check: RecordCheck,
): Promise<RecordCheck> {
  if (!(await claimHost(executor, host, projectId))) return { ...takenCheck, found: check.found };
  const answer = await askHost(host, projectId);
  if (answer === "here") return check;
  const wasGood = answer.kind === "unreachable" && (before?.ok ?? false);
  return { ...answer, ok: wasGood, found: check.found };
}
