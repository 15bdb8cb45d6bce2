import { listDomains } from "@/lib/domain/sending-domains/domains";
import type { Context } from "@/lib/ground/context";

/** The domains that a test can be sent from. */
export async function senderDomains(context: Context): Promise<readonly string[]> {
  const { data } = await listDomains(context, { limit: 100, status: "VERIFIED" });
  return data.map(({ name }) => name);
}
