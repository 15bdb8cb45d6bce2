import { isIP } from "node:net";
import type { Answer, RecordType } from "dns-packet";
import { env } from "@/lib/ground/env/env";
import { exchange, readServer } from "./exchange";
import type { MailExchange } from "./resolver";

/** What no record says how long to keep. */
const usualSeconds = 300;
const longestChain = 16;

/** secure: the resolver has validated the answer, or that there is none, by DNSSEC. */
export type ValidatedAnswer<Value> =
  | { kind: "found"; values: Value[]; secure: boolean; seconds: number }
  | { kind: "none"; secure: boolean; seconds: number }
  | { kind: "failed"; reason: string };

/** RFC 6698, section 2.1. */
export interface TlsaRecord {
  usage: number;
  selector: number;
  matching: number;
  data: Buffer;
}

/** Asks a resolver that validates by DNSSEC, and tells what it has validated. Nothing throws. */
export interface ValidatingResolver {
  mx(name: string): Promise<ValidatedAnswer<MailExchange>>;
  addresses(name: string): Promise<ValidatedAnswer<string>>;
  tlsa(name: string): Promise<ValidatedAnswer<TlsaRecord>>;
  /** Where the name, if it is an alias, leads at last. */
  canonicalName(name: string): Promise<ValidatedAnswer<string>>;
  /** Whether the name itself is an alias, by its own record. */
  alias(name: string): Promise<ValidatedAnswer<string>>;
}

/** That of DNSSEC_RESOLVER; null: there is none, and nothing in DNS can be trusted. */
export function createValidatingResolver(): ValidatingResolver | null {
  const { DNSSEC_RESOLVER } = env();
  if (DNSSEC_RESOLVER === undefined) return null;
  const server = readServer(DNSSEC_RESOLVER);

  async function ask<Value>(
    name: string,
    type: RecordType,
    read: (answers: Answer[]) => Value[],
  ): Promise<ValidatedAnswer<Value>> {
    const reply = await exchange(server, name, type);
    // Nobody can publish it, and it needs no proof.
    if (reply.kind === "failed" && reply.reason === "EBADNAME") {
      return { kind: "none", secure: true, seconds: usualSeconds };
    }
    if (reply.kind === "failed") return reply;
    const { secure } = reply;
    const answers = reply.packet.answers ?? [];
    const values = read(answers);
    const seconds = Math.min(usualSeconds, ...answers.map(secondsOf));
    return values.length > 0
      ? { kind: "found", values, secure, seconds }
      : { kind: "none", secure, seconds };
  }

  return {
    mx: (name) =>
      ask(name, "MX", (answers) =>
        answers.flatMap((answer) => {
          if (answer.type !== "MX") return [];
          const exchangeName = plain(answer.data.exchange);
          const usable = exchangeName === "" || isHostName(exchangeName);
          return usable ? [{ priority: answer.data.preference ?? 0, exchange: exchangeName }] : [];
        }),
      ),
    async addresses(name) {
      const asked = (["A", "AAAA"] as const).map((type) =>
        ask(name, type, (answers) =>
          answers.flatMap((answer) => (answer.type === type ? [answer.data] : [])),
        ),
      );
      return joined(await Promise.all(asked));
    },
    tlsa: (name) =>
      ask(name, "TLSA", (answers) =>
        answers.flatMap((answer) => {
          if (answer.type !== "TLSA") return [];
          const { usage, selector, matchingType: matching, certificate } = answer.data;
          return [{ usage, selector, matching, data: Buffer.from(certificate) }];
        }),
      ),
    canonicalName: (name) => ask(name, "A", (answers) => [lastOf(name, answers)]),
    alias: (name) =>
      ask(name, "CNAME", (answers) =>
        answers.flatMap((answer) => (answer.type === "CNAME" ? [plain(answer.data)] : [])),
      ),
  };
}

/**
 * Why DNSSEC_RESOLVER is of no use, in a sentence; null: it is, or there is none. The root is signed, so that whoever
 * validates can say so of its records. Never throws.
 */
export async function resolverFault(): Promise<string | null> {
  const { DNSSEC_RESOLVER } = env();
  if (DNSSEC_RESOLVER === undefined) return null;
  const reply = await exchange(readServer(DNSSEC_RESOLVER), ".", "SOA");
  if (reply.kind === "failed") {
    return `The DNSSEC_RESOLVER ${DNSSEC_RESOLVER} gives no answer (${reply.reason}).`;
  }
  return reply.secure
    ? null
    : `The DNSSEC_RESOLVER ${DNSSEC_RESOLVER} does not validate, so DANE is not honoured.`;
}

/** A record without a time, such as OPT, sets none. */
function secondsOf(answer: Answer): number {
  return "ttl" in answer && typeof answer.ttl === "number" ? answer.ttl : usualSeconds;
}

const plain = (name: string) => name.toLowerCase().replace(/\.$/, "");

/** Names that can be dialled and printed, or an address, which later steps refuse. */
const isHostName = (name: string) => isIP(name) !== 0 || /^[a-z0-9_][a-z0-9_.-]*$/.test(name);

function lastOf(name: string, answers: readonly Answer[]): string {
  let last = plain(name);
  for (let step = 0; step < longestChain; step++) {
    const next = answers.find((answer) => answer.type === "CNAME" && plain(answer.name) === last);
    if (next?.type !== "CNAME") break;
    last = plain(next.data);
  }
  return last;
}

/** Both families: secure if all addresses are; failed if either could not be found out. */
function joined(answers: readonly ValidatedAnswer<string>[]): ValidatedAnswer<string> {
  const failed = answers.find((answer) => answer.kind === "failed");
  if (failed) return failed;
  const known = answers.flatMap((answer) => (answer.kind === "failed" ? [] : [answer]));
  const found = known.flatMap((answer) => (answer.kind === "found" ? [answer] : []));
  const seconds = Math.min(...known.map((answer) => answer.seconds));
  return found.length === 0
    ? { kind: "none", secure: known.every(({ secure }) => secure), seconds }
    : {
        kind: "found",
        values: found.flatMap(({ values }) => values),
        secure: found.every(({ secure }) => secure),
        seconds,
      };
}
