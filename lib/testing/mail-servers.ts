import { afterEach } from "vitest";
import type { TestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "./index";
import { dispatchDue, startMailServer, verifiedDomain, type TestMailServer } from "./delivery";
import { parseSmtpUrl } from "@/lib/mail/smtp-server-url";
import { SmtpTransport } from "@/lib/engine/transports/smtp-client/smtp-transport";

export function smtpTransport(url: string): SmtpTransport {
  return new SmtpTransport(parseSmtpUrl(url, "mail.example.net"));
}

/** Mail servers that stop with their test, and senders whose domain is verified. Call at the top level. */
export function useMailServers(database: TestDatabase) {
  const stops: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  return {
    /** What ends after the test. */
    stops,
    sender: async (): Promise<{
      ctx: Context;
      key: Awaited<ReturnType<typeof verifiedDomain>>;
      domain: string;
    }> => {
      const { ctx, projectId } = await makeProject(database.db);
      const domain = `d${Math.random().toString(36).slice(2)}.example.com`;
      return { ctx, domain, key: await verifiedDomain(database.db, projectId, domain) };
    },
    mailServer: async (...given: Parameters<typeof startMailServer>): Promise<TestMailServer> => {
      const server = await startMailServer(...given);
      stops.push(() => server.stop());
      return server;
    },
    dispatch: (url: string) => dispatchDue({ db: database.db, transport: smtpTransport(url) }),
  };
}
