import type { IncomingMessage } from "node:http";
import type { ProviderKind } from "@/db/enums";
import type { Outcome, RefusalStage } from "@/lib/mail/transport";
import type { ProviderEndpoint } from "@/lib/ground/net/provider-endpoints";
import type { ProviderMail } from "./provider-mail";

export interface ProviderRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

export interface ProviderAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  /** Parsed if it is JSON, otherwise null. */
  json: unknown;
  text: string;
}

/** There is no key to send with: that is the connection's trouble, not the message's. */
export class KeyMissingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "KeyMissingError";
  }
}

/** What an answer to a request can mean: never that the connection was lost. */
export type Judgement = Extract<Outcome, { kind: "accepted" | "refused" | "unavailable" }>;

/** One provider's API: how mail is handed over there, and what its answers mean. */
export interface Provider {
  kind: ProviderKind;
  endpoint: ProviderEndpoint;
  /** Whether the same request sent twice sends one mail. */
  repeatable: boolean;
  send: (mail: ProviderMail) => ProviderRequest | Promise<ProviderRequest>;
  judge: (answer: ProviderAnswer) => Judgement;
  /** Sends nothing, but shows whether the key is good. */
  test: () => ProviderRequest | Promise<ProviderRequest>;
  judgeTest: (answer: ProviderAnswer) => { ok: boolean; words: string };
}

export function isOk({ status }: ProviderAnswer): boolean {
  return status >= 200 && status < 300;
}

/** A text in the answer, by the names that lead to it; empty: there is none. */
export function textAt({ json }: ProviderAnswer, ...names: (string | number)[]): string {
  let value: unknown = json;
  for (const name of names) {
    value =
      typeof value === "object" && value !== null
        ? (value as Record<string | number, unknown>)[name]
        : undefined;
  }
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}

export function accepted(answer: ProviderAnswer, providerId: string): Judgement {
  const text = providerId
    ? `${answer.status} Accepted as ${providerId}`
    : `${answer.status} Accepted`;
  const reply = { code: 250, enhancedCode: "2.0.0", text };
  return { kind: "accepted", reply, providerId: providerId.slice(0, 500) || null };
}

/** What a refusal is about; login: the key. less: asks for less mail, for example when a quota is used up. */
export type RefusalCause = RefusalStage | "login" | "less" | "later";

/** What goes with an enhanced code that is not the usual one: a closed mailbox, a message that is too large. */
const codes: Record<string, number> = { "5.2.1": 550, "5.3.4": 552 };

/**
 * A refusal as mail servers put it. If it is temporary or asks for less, the mail is tried again; `login`
 * holds the connection; if it is about the sender, the mail waits for the sender to be set right.
 */
export function refused(cause: RefusalCause, words: string, enhancedCode?: string): Judgement {
  const reply = (usualCode: number, usual: string) => ({
    code: codes[enhancedCode ?? ""] ?? usualCode,
    enhancedCode: enhancedCode ?? usual,
    text: words,
  });
  switch (cause) {
    case "login":
      return { kind: "unavailable", reason: words, loginRefused: true };
    case "less":
      return { kind: "refused", stage: "message", reply: reply(451, "4.7.0") };
    case "later":
      return { kind: "refused", stage: "message", reply: reply(450, "4.5.0") };
    case "sender":
      return { kind: "refused", stage: "sender", reply: reply(550, "5.7.1") };
    case "recipient":
      return { kind: "refused", stage: "recipient", reply: reply(553, "5.1.3") };
    case "message":
      return { kind: "refused", stage: "message", reply: reply(554, "5.6.0") };
  }
}

/** What a status says by itself, whoever the provider is; null: the words decide. */
export function causeOf({ status }: ProviderAnswer): RefusalCause | null {
  if (status === 401) return "login";
  if (status === 402 || status === 429 || status >= 500) return "less";
  // Redirects are not followed.
  if (status === 408 || status === 409 || status === 425 || status < 400) return "later";
  return null;
}

/** The words of an answer, with its status before them. */
export function wordsOf({ status, text }: ProviderAnswer, said: string): string {
  const words = said || text.trim();
  return `${status} ${words}`.trim().slice(0, 500);
}
