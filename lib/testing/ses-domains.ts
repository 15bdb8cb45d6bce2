import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { domains, sesIdentities } from "@/db/schema";
import type { TestDatabase } from "@/db/testing";
import { createDomain, getDomain } from "@/lib/domain/sending-domains/domains";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import { keepSesIdentities } from "@/lib/domain/sending-domains/ses-work";
import { verifyDomain } from "@/lib/domain/sending-domains/verify";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { startDnsServer, type DnsServer } from "./dns-server";
import { setSettings } from "./providers/as-transport";
import { keeper } from "./providers/ses";
import { startSesAccount } from "./providers/ses-account";

type Account = Awaited<ReturnType<typeof startSesAccount>>;
type Owned = { ctx: Context; domain: Domain };
type Published = Omit<Domain["records"][number], "purpose">;

export const sesRegion = "eu-central-1";
export const mailFromHostOf = (name: string, region = sesRegion) => `ses-${region}.${name}`;
export const publishedDkimKey = ({ records }: Domain) =>
  records.find(({ purpose }) => purpose === "DKIM")?.value.replace(/^.*p=/, "");

/**
 * An installation whose mail leaves through an account at Amazon SES played here, and a name server. Call at the top
 * level.
 */
export function useSesDomains(test: TestDatabase) {
  const started = {} as { dns: DnsServer; account: Account };
  const accounts: Account[] = [];
  let count = 0;

  beforeAll(async () => {
    started.dns = await startDnsServer();
    Object.assign(process.env, { DNS_SERVERS: started.dns.address, SENDING_IPS: "192.0.2.10" });
    reloadEnv();
  });
  afterAll(async () => {
    delete process.env["SENDING_IPS"];
    process.env["DNS_SERVERS"] = "";
    reloadEnv();
    await started.dns.stop();
  });
  beforeEach(async () => {
    started.dns.clear();
    // What earlier tests left is not this one's.
    await test.db.delete(sesIdentities);
    await test.db.delete(domains);
    const key = `${keeper.accessKey}:${keeper.secretKey}`;
    setSettings({ MAIL_TRANSPORT: `ses://${sesRegion}`, MAIL_TRANSPORT_KEY: key });
    started.account = await accountIn(sesRegion);
  });
  afterEach(async () => {
    setSettings({ MAIL_TRANSPORT: "capture" });
    for (const account of accounts.splice(0)) await account.stop();
  });

  async function accountIn(region: string): Promise<Account> {
    const account = await startSesAccount(region);
    accounts.push(account);
    return account;
  }

  function publish(records: readonly Published[]): void {
    for (const { type, name, value, priority } of records) {
      if (type === "MX") started.dns.mx(name, { priority: priority ?? 0, exchange: value });
      else started.dns.txt(name, value.match(/.{1,255}/g) ?? []);
    }
  }

  const newName = () => `d${++count}.example`;
  const keep = () => keepSesIdentities(test.db, { pauseMilliseconds: 0 });
  return {
    started,
    accountIn,
    publish,
    newName,
    keep,
    keepAfter: async (interval: string) => {
      await test.travel(interval);
      return keep();
    },
    verified: async ({ ctx }: { ctx: Context }) => {
      const name = newName();
      const created = await createDomain(ctx, { name });
      publish(created.records);
      const domain = await verifyDomain(ctx, created.id);
      expect(domain.status).toBe("VERIFIED");
      return { ctx, name, domain };
    },
    /** What the domain's page shows of its one identity. */
    shown: async ({ ctx, domain }: Owned) => {
      const [identity, ...others] = (await getDomain(ctx, domain.id)).ses;
      if (!identity) throw new Error("Mail of this domain does not leave through SES.");
      expect(others).toEqual([]);
      return identity;
    },
    rows: () => test.db.select().from(sesIdentities),
  };
}
