import { setTimeout as sleep } from "node:timers/promises";
import { sesStatuses, type SesStatus } from "@/db/enums";
import type { SesAnswer, SesFault } from "@/db/schema/ses-identities";
import { NoAwsKeyError, SesRequests, type SesAccount } from "@/lib/ground/aws/ses-requests";
import { GuardedFetchError, keepConnections } from "@/lib/ground/net/guarded-fetch";
import { callProvider } from "./call";
import { causeOf, isOk, wordsOf, type ProviderAnswer } from "./provider";
import { causeOfError, errorOf, said } from "./ses";

const callMilliseconds = 10_000;

/** Amazon SES did not do what was asked. */
export class SesFaultError extends Error {
  constructor(readonly fault: SesFault) {
    super(fault.words);
    this.name = "SesFaultError";
  }
}

/** Which key signs for a domain: its selector and the private half, as PKCS #8 PEM. */
export interface SigningKey {
  selector: string;
  privateKey: string;
}

/** SES takes the base64 between PEM's first and last line, without the line breaks. */
const attributesOf = ({ selector, privateKey }: SigningKey) => ({
  DomainSigningSelector: selector,
  DomainSigningPrivateKey: privateKey.replaceAll(/-----[A-Z ]+-----|\s/g, ""),
});

function faultKind(answer: ProviderAnswer): SesFault["kind"] {
  const error = errorOf(answer);
  const cause = causeOfError(error) ?? causeOf(answer);
  if (answer.status >= 500) return "unreachable";
  if (cause === "less") return "throttled";
  if (answer.status === 403 || error.startsWith("AccessDenied")) return "denied";
  return cause === "login" && answer.status !== 404 ? "denied" : "refused";
}

type Answered = Record<string, unknown>;

function statusOf(value: unknown): SesStatus {
  return sesStatuses.find((status) => status === value) ?? "PENDING";
}

const objectOf = (value: unknown): Answered =>
  typeof value === "object" && value !== null ? (value as Answered) : {};

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetEmailIdentity.html */
function readIdentity(json: unknown): SesAnswer {
  const identity = objectOf(json);
  const dkim = objectOf(identity["DkimAttributes"]);
  const mailFrom = objectOf(identity["MailFromAttributes"]);
  const error = objectOf(identity["VerificationInfo"])["ErrorType"];
  const tokens = dkim["Tokens"];
  const { MailFromDomain: host } = mailFrom;
  return {
    sends: identity["VerifiedForSendingStatus"] === true,
    status: statusOf(identity["VerificationStatus"]),
    error: typeof error === "string" ? error.slice(0, 100) : null,
    dkim: {
      status: statusOf(dkim["Status"]),
      own: dkim["SigningAttributesOrigin"] === "EXTERNAL",
      selectors: Array.isArray(tokens) ? tokens.filter((token) => typeof token === "string") : [],
    },
    mailFrom:
      typeof host === "string" && host !== ""
        ? { host: host.toLowerCase(), status: statusOf(mailFrom["MailFromDomainStatus"]) }
        : null,
  };
}

/**
 * The identities of one account at Amazon SES in one region. One request at a time, with a pause before each: SES takes
 * one a second of each kind. Its methods throw SesFaultError.
 */
export class SesIdentities {
  readonly #requests: SesRequests;
  readonly #endpoint: `ses:${string}`;
  readonly #connections = keepConnections();
  readonly #pauseMilliseconds: number;

  constructor(account: SesAccount, pauseMilliseconds: number) {
    this.#requests = new SesRequests(account);
    this.#endpoint = `ses:${account.region}`;
    this.#pauseMilliseconds = pauseMilliseconds;
  }

  /** null: the account does not know the name. */
  async find(name: string): Promise<SesAnswer | null> {
    const answer = await this.#ask(
      ({ GetEmailIdentityCommand }) => new GetEmailIdentityCommand({ EmailIdentity: name }),
      "NotFoundException",
    );
    return answer && readIdentity(answer.json);
  }

  /** False: the account has it already. */
  async create(name: string, key: SigningKey): Promise<boolean> {
    const answer = await this.#ask(
      ({ CreateEmailIdentityCommand }) =>
        new CreateEmailIdentityCommand({
          EmailIdentity: name,
          DkimSigningAttributes: attributesOf(key),
        }),
      "AlreadyExistsException",
    );
    return answer !== null;
  }

  async sign(name: string, key: SigningKey): Promise<void> {
    await this.#ask(
      ({ PutEmailIdentityDkimSigningAttributesCommand }) =>
        new PutEmailIdentityDkimSigningAttributesCommand({
          EmailIdentity: name,
          SigningAttributesOrigin: "EXTERNAL",
          SigningAttributes: attributesOf(key),
        }),
    );
  }

  /** While the host lacks its MX record, mail leaves under amazonses.com. */
  async setMailFrom(name: string, host: string): Promise<void> {
    await this.#ask(
      ({ PutEmailIdentityMailFromAttributesCommand }) =>
        new PutEmailIdentityMailFromAttributesCommand({
          EmailIdentity: name,
          MailFromDomain: host,
          BehaviorOnMxFailure: "USE_DEFAULT_VALUE",
        }),
    );
  }

  /** Also if the account does not know it any longer. */
  async delete(name: string): Promise<void> {
    await this.#ask(
      ({ DeleteEmailIdentityCommand }) => new DeleteEmailIdentityCommand({ EmailIdentity: name }),
      "NotFoundException",
    );
  }

  close(): void {
    this.#connections.close();
  }

  /** null: the answer is the error that was to be expected. */
  async #ask(
    command: Parameters<SesRequests["request"]>[0],
    expected?: string,
  ): Promise<ProviderAnswer | null> {
    await sleep(this.#pauseMilliseconds);
    const answer = await this.#call(command);
    if (isOk(answer)) return answer;
    if (expected !== undefined && errorOf(answer) === expected) return null;
    throw new SesFaultError({ kind: faultKind(answer), words: wordsOf(answer, said(answer)) });
  }

  async #call(command: Parameters<SesRequests["request"]>[0]): Promise<ProviderAnswer> {
    try {
      const request = await this.#requests.request(command);
      return await callProvider(this.#endpoint, request, {
        timeoutMilliseconds: callMilliseconds,
        connections: this.#connections,
      });
    } catch (error) {
      if (error instanceof NoAwsKeyError) {
        throw new SesFaultError({ kind: "denied", words: error.message });
      }
      if (!(error instanceof GuardedFetchError)) throw error;
      throw new SesFaultError({ kind: "unreachable", words: error.message });
    }
  }
}
