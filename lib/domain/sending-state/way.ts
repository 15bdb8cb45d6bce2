import { and, eq } from "drizzle-orm";
import { sendingConnections } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { parseProvider } from "@/lib/ground/providers/settings";
import { isMx } from "@/lib/mail/smtp-server-url";
import type { SendingState } from "./schema";

type Way = SendingState["way"];

function installationWay(): Way {
  const { MAIL_TRANSPORT } = env();
  const of = (kind: Way["kind"], region: string | null = null) => ({
    connectionId: null,
    kind,
    region,
  });
  if (MAIL_TRANSPORT === "capture") return of("capture");
  const provider = parseProvider(MAIL_TRANSPORT);
  if (provider) return of(provider.kind, "region" in provider ? provider.region : null);
  return of(isMx(MAIL_TRANSPORT) ? "mx" : "smtp");
}

/** How mail of the domains leaves that name no connection of their own. Hosts and accounts are nobody's business here. */
export async function readWay(ctx: Context): Promise<Way> {
  const [standard] = await ctx.db
    .select({
      id: sendingConnections.id,
      kind: sendingConnections.kind,
      settings: sendingConnections.settings,
    })
    .from(sendingConnections)
    .where(
      and(eq(sendingConnections.projectId, ctx.projectId), eq(sendingConnections.standard, true)),
    );
  if (!standard) return installationWay();
  const { id, kind, settings } = standard;
  return { connectionId: encodeId("connection", id), kind, region: settings.region ?? null };
}
