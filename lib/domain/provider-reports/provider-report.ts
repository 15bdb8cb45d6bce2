import { causesOfSender } from "@/lib/domain/delivery-reports/effect";
import type { DeliveryReport } from "@/lib/domain/delivery-reports/report";
import { invalid } from "@/lib/ground/errors";
import { bounceClassOf } from "@/lib/mail/reports/bounce-class";
import { isSenderFault, type ServerWords } from "@/lib/mail/reports/address-fault";
import type { BounceClass } from "@/db/enums";

/** A provider's call as it came. */
export class HookCall {
  #json: { value: unknown } | null = null;

  constructor(
    readonly headers: Headers,
    readonly body: Buffer,
  ) {}

  /** What the body says; read once, whoever asks. Throws VALIDATION_ERROR. */
  json(): unknown {
    return (this.#json ??= { value: parsed(this.body) }).value;
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw invalid("", "The body is not JSON.");
  }
}

/** What a provider reports about one email. */
export interface ProviderReport {
  /** What may name it, the surest first: its own id, its Message-ID, the provider's id. */
  names: string[];
  report: DeliveryReport | { kind: "unsubscribed" };
  /** What the receiving server said. */
  words: ServerWords | null;
  cause?: BounceClass;
}

/** What one provider's calls say. */
export interface ReportReader {
  /** As people call it. */
  label: string;
  /** Events that say nothing about a delivery are left out. */
  reports: (json: unknown) => ProviderReport[];
}

/** A provider that proves its calls by a secret of the connection's. */
export interface ProviderHook extends ReportReader {
  /** `seconds`: the time, since 1970. */
  proves: (call: HookCall, secret: string, seconds: number) => boolean;
  /** A name that only this call may have, where the signature does not cover the body. */
  nonce?: (json: unknown) => string;
}

/** What stands where these names lead. */
export function at(value: unknown, ...names: string[]): unknown {
  let inner = value;
  for (const name of names) {
    inner =
      typeof inner === "object" && inner !== null
        ? (inner as Record<string, unknown>)[name]
        : undefined;
  }
  return inner;
}

/** The same as text; empty: there is none. */
export function textAt(value: unknown, ...names: string[]): string {
  const inner = at(value, ...names);
  if (typeof inner === "number") return String(inner);
  return typeof inner === "string" ? inner : "";
}

const replyCode = /\b([45]\d\d)\b/;
const replyEnhanced = /\b([245]\.\d{1,3}\.\d{1,3})\b/;

/** A server's words with the codes found in them, unless those are given separately. */
export function serverWords(text: string, code = "", enhancedCode = ""): ServerWords {
  const said = text.slice(0, 2_000);
  const number = Number(/^[245]\d\d$/.test(code) ? code : (replyCode.exec(said)?.[1] ?? ""));
  const enhanced = replyEnhanced.exec(enhancedCode) ?? replyEnhanced.exec(said);
  return { code: number || null, enhancedCode: enhanced?.[1] ?? null, text: said };
}

/**
 * A report that an email came back for good; `hard`: the provider's word; absent: the server's words decide. What a
 * server says of the sender, or of what is sent, makes no address a bad one, whatever the provider calls it.
 */
export function bounceOf(
  words: ServerWords,
  hard?: boolean,
): Pick<ProviderReport, "report" | "words" | "cause"> {
  const cause = bounceClassOf(words);
  const isOfSender = isSenderFault(words) || causesOfSender.includes(cause);
  const isHard = !isOfSender && (hard ?? cause === "invalid_address");
  return {
    report: { kind: "bounced", hard: isHard, gaveUp: true },
    words,
    cause: isHard ? "invalid_address" : cause === "invalid_address" ? "other" : cause,
  };
}
