import type { ProviderEndpoint } from "@/lib/ground/net/provider-endpoints";
import type { ProviderAnswer, ProviderCall } from "@/lib/testing/provider-server";

/** One email as it was handed to a provider. */
export interface HandedMail {
  to: string;
  /** What we sent along to recognise it by. */
  id: string;
  providerId: string;
  attachments: { name: string; content: Buffer; contentId: string | null }[];
  headers: Record<string, string>;
  html: string;
  text: string;
}

export type Happening = "delivered" | "bounced" | "soft" | "delayed" | "complained" | "opened";

/** A provider, modelled on its public documentation. */
export interface PlayedProvider {
  endpoint: ProviderEndpoint;
  /** Fields for POST /v1/connections. */
  input: Record<string, unknown>;
  takes: (call: ProviderCall) => boolean;
  answer: (call: ProviderCall, index: number) => ProviderAnswer;
  mail: (call: ProviderCall, index: number) => Promise<HandedMail>;
  event: (happening: Happening, mail: HandedMail) => unknown;
  /**
   * Headers and body of a call with this event; `wrong`: with a secret that is not the right one.
   */
  call: (
    event: unknown,
    webhookUrl: string,
    wrong?: boolean,
  ) => { headers: Record<string, string>; body: string };
  refusesKey: ProviderAnswer;
  /** The answer when a key is tried without sending. */
  acceptsKey: ProviderAnswer;
  /** Fields that give the connection a key that is accepted again. */
  anotherKey: Record<string, string>;
  /** What else has to run for its reports to be proved. */
  startProof?: () => Promise<{ stop: () => Promise<void> }>;
}

export const uuidOf = (index: number) =>
  `56761188-7520-42d8-8898-${String(index).padStart(12, "0")}`;
/** Its JSON: tests look into what the product wrote. */
export const jsonOf = (call: ProviderCall): unknown => JSON.parse(call.body.toString("utf8"));
export const bare = (mailbox: string) => /<([^<>]+)>$/.exec(mailbox)?.[1] ?? mailbox;
export const nowSeconds = () => String(Math.floor(Date.now() / 1000));
