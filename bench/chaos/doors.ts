import { SmtpClient } from "@/lib/testing/smtp-client";
import { until } from "@/lib/testing/until";

/** Where the programs listen; all at one host. */
export interface Doors {
  /** `http://127.0.0.1:3000` */
  web: string;
  relayPort: number;
  inboundPort: number;
}

/** Programs take a while to start: resolves when all of them answer. */
export async function untilOpen({ web, relayPort, inboundPort }: Doors): Promise<void> {
  const { hostname } = new URL(web);
  const isOpen = async () => {
    await fetch(web);
    for (const port of [relayPort, inboundPort]) {
      (await SmtpClient.open(port, undefined, hostname)).end();
    }
    return true;
  };
  await until(() => isOpen().catch(() => false), {
    what: "the programs answer",
    seconds: 400,
    everyMilliseconds: 200,
  });
}
