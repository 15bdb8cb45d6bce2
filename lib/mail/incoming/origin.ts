import { authenticate } from "mailauth";
import { authResults, type AuthResult } from "@/db/enums";
import type { OriginChecks } from "@/db/schema/inbound";
import type { AskDns } from "@/lib/ground/dns/resolver";
import { storableText } from "@/lib/ground/storable-text";

/** What the session that brought a mail said about itself. */
export interface IncomingSession {
  /** The server's address. */
  ip: string;
  /** What it called itself. */
  helo: string;
  /** Of MAIL FROM; empty for bounces. */
  sender: string;
  /** What we call ourselves. */
  ownHost: string;
}

const otherSpellings: Readonly<Record<string, AuthResult>> = {
  temperr: "temperror",
  permerr: "permerror",
  skipped: "none",
};

function resultOf(status: { result: string } | undefined): AuthResult {
  const result = status?.result ?? "none";
  return authResults.find((listed) => listed === result) ?? otherSpellings[result] ?? "none";
}

const wordOf = (text: string | boolean | undefined | null): string | null =>
  typeof text === "string" && text ? storableText(text).slice(0, 255) : null;

const undecided: OriginChecks = {
  spf: { result: "temperror", domain: null },
  dkim: [],
  dmarc: { result: "temperror", domain: null, policy: null },
  arc: { result: "temperror" },
};

/** Whether a mail comes from the domain of its From address, which need not publish a policy. */
export function isProven({ dkim, dmarc }: OriginChecks): boolean {
  return (
    dmarc.result === "pass" ||
    (dmarc.result === "none" && dkim.some(({ result, aligned }) => result === "pass" && aligned))
  );
}

const mostSignatures = 20;
/** Look-ups follow each other: together they may take minutes, and no server waits that long. */
const longestMilliseconds = 20_000;

/**
 * Checks where a mail comes from: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617).
 * Resolves whatever the name servers do: what could not be found out is a temperror.
 */
export async function checkOrigin(
  raw: Buffer,
  session: IncomingSession,
  resolver: AskDns,
): Promise<OriginChecks> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<OriginChecks>((resolve) => {
    timer = setTimeout(() => resolve(undecided), longestMilliseconds);
  });
  try {
    return await Promise.race([allChecks(raw, session, resolver), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function allChecks(
  raw: Buffer,
  { ip, helo, sender, ownHost }: IncomingSession,
  resolver: AskDns,
): Promise<OriginChecks> {
  try {
    const { spf, dkim, dmarc, arc } = await authenticate(raw, {
      ip: ip.replace(/^::ffff:(?=\d+\.)/i, ""),
      helo,
      sender,
      mta: ownHost,
      resolver,
      disableBimi: true,
    });
    return {
      spf: { result: resultOf(spf ? spf.status : undefined), domain: wordOf(spf && spf.domain) },
      dkim: dkim.results
        .filter(({ signingDomain }) => signingDomain)
        .slice(0, mostSignatures)
        .map(({ status, signingDomain, selector }) => ({
          result: resultOf(status),
          domain: wordOf(signingDomain) ?? "",
          selector: wordOf(selector) ?? "",
          aligned: Boolean(status.aligned),
        })),
      dmarc: {
        result: resultOf(dmarc ? dmarc.status : undefined),
        domain: wordOf(dmarc ? dmarc.domain : null),
        policy: wordOf(dmarc ? dmarc.policy : null),
      },
      arc: { result: resultOf(arc ? arc.status : undefined) },
    };
  } catch {
    return undecided;
  }
}
