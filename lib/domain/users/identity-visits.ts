import { and, eq, gt, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { identityVisits } from "@/db/schema";
import { seal, sha256, unsealOrNull } from "@/lib/ground/secrets";
import type { VisitSecrets } from "./identity-provider";

/** How long somebody may take at the provider: ten minutes. */
export const visitLifeSeconds = 10 * 60;

const hashOf = (text: string) => sha256(text).toString("hex");

/** Remembers that the browser that holds the secret `holder` has left for the provider. */
export async function keepVisit(
  db: Executor,
  input: {
    holder: string;
    secrets: VisitSecrets;
    /** A path on this site. */
    redirectTo: string;
  },
): Promise<void> {
  const { holder, secrets, redirectTo } = input;
  await db.insert(identityVisits).values({
    hash: hashOf(secrets.state),
    holderHash: hashOf(holder),
    secretsSealed: seal(JSON.stringify(secrets)),
    redirectTo,
    expiresAt: sql`app_now() + make_interval(secs => ${visitLifeSeconds})`,
  });
}

/** Uses up a visit, whatever comes of it. Null when it is unknown, used, expired or another browser's. */
export async function takeVisit(
  db: Executor,
  { state, holder }: { state: string; holder: string },
): Promise<{ secrets: VisitSecrets; redirectTo: string } | null> {
  const [visit] = await db
    .delete(identityVisits)
    .where(
      and(
        eq(identityVisits.hash, hashOf(state)),
        eq(identityVisits.holderHash, hashOf(holder)),
        gt(identityVisits.expiresAt, sql`app_now()`),
      ),
    )
    .returning();
  const secrets = visit && unsealOrNull(visit.secretsSealed);
  if (!secrets) return null;
  return { secrets: JSON.parse(secrets) as VisitSecrets, redirectTo: visit.redirectTo };
}
