import { NoAwsKeyError, SesRequests, type SesAccount } from "@/lib/ground/aws/ses-requests";
import { withoutSignatures } from "@/lib/mail/message/unsigned";
import {
  accepted,
  causeOf,
  isOk,
  KeyMissingError,
  refused,
  textAt,
  wordsOf,
  type Judgement,
  type Provider,
  type ProviderAnswer,
  type RefusalCause,
} from "./provider";
import { idName, type ProviderMail } from "./provider-mail";

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors, and the errors common to all actions. */
const causes: Record<string, RefusalCause> = {
  AccountSuspendedException: "login",
  SendingPausedException: "login",
  // The configuration set does not exist: no email could leave with it.
  NotFoundException: "login",
  ExpiredTokenException: "login",
  IncompleteSignatureException: "login",
  InvalidClientTokenIdException: "login",
  InvalidSignatureException: "login",
  MissingAuthenticationTokenException: "login",
  OptInRequired: "login",
  RequestExpired: "login",
  SignatureDoesNotMatch: "login",
  UnrecognizedClientException: "login",
  LimitExceededException: "less",
  Throttling: "less",
  ThrottlingException: "less",
  TooManyRequestsException: "less",
  MailFromDomainNotVerifiedException: "sender",
};
const lessAsked = /sending (rate|quota)|(daily|maximum) (message|sending)/i;
const senderFault =
  /not verified|not authorized to send|mail from|sending is (disabled|paused) for/i;
const recipientFault =
  /recipient|destination|illegal address|local address|final '@domain'|^\d{3} (\w+: )?domain (contains|starts|ends)/i;

/** The name of an error, without the namespace before it and the address behind it. */
export function errorOf(answer: ProviderAnswer): string {
  const { "x-amzn-errortype": header } = answer.headers;
  const type = (typeof header === "string" && header) || textAt(answer, "__type");
  return type.slice(type.indexOf("#") + 1).split(":", 1)[0] ?? "";
}

export function said(answer: ProviderAnswer): string {
  const message = textAt(answer, "message") || textAt(answer, "Message");
  return [errorOf(answer), message].filter(Boolean).join(": ");
}

/** What an error says by its name alone, whatever was asked; null: nothing. */
export const causeOfError = (error: string): RefusalCause | null => causes[error] ?? null;

function judge(answer: ProviderAnswer): Judgement {
  if (isOk(answer)) return accepted(answer, textAt(answer, "MessageId"));
  const words = wordsOf(answer, said(answer));
  const error = errorOf(answer);
  if (lessAsked.test(words)) return refused("less", words);
  const named = causeOfError(error);
  if (named !== null) return refused(named, words);
  // A key may be good for some identities alone: then the others wait, and no more.
  if (error.startsWith("AccessDenied") || answer.status === 403) {
    return refused(words.includes(":identity/") ? "sender" : "login", words);
  }
  const cause = causeOf(answer);
  if (cause !== null) return refused(cause, words);
  if (answer.status === 413 || /message length|too (large|long)/i.test(words)) {
    return refused("message", words, "5.3.4");
  }
  // While an account is in the sandbox, this names recipients as well: nothing is wrong with their addresses.
  if (senderFault.test(words)) return refused("sender", words);
  return refused(recipientFault.test(words) ? "recipient" : "message", words);
}

function judgeTest(answer: ProviderAnswer) {
  const words = wordsOf(answer, said(answer));
  // A key that may do no more than send must not ask for the account, but is a good one.
  if (errorOf(answer).startsWith("AccessDenied") && words.includes("ses:GetAccount")) {
    return { ok: true, words: "Amazon SES knows this key, which may not look at the account." };
  }
  if (!isOk(answer)) return { ok: false, words };
  const { SendingEnabled: enabled, ProductionAccessEnabled: production } = (answer.json ??
    {}) as Record<string, unknown>;
  if (enabled === false) return { ok: false, words: "Sending is paused for this account." };
  return {
    ok: true,
    words:
      production === false
        ? "Amazon SES takes mail with this key, but the account is in the sandbox: only verified addresses get any."
        : "Amazon SES takes mail with this key.",
  };
}

export interface SesOptions extends SesAccount {
  configurationSet: string | null;
}

/**
 * https://docs.aws.amazon.com/ses/latest/dg/send-email-raw.html: takes the whole message, but sets Message-ID and Date
 * itself, which breaks our signature; it signs anew, with the key of the identity that the account has verified.
 */
export function ses({ configurationSet, ...account }: SesOptions): Provider {
  const requests = new SesRequests(account);
  const signed: SesRequests["request"] = async (command) => {
    try {
      return await requests.request(command);
    } catch (error) {
      if (error instanceof NoAwsKeyError) throw new KeyMissingError(error.message);
      throw error;
    }
  };
  return {
    kind: "ses",
    endpoint: `ses:${account.region}`,
    repeatable: false,
    send: ({ id, to, raw }: ProviderMail) =>
      signed(
        ({ SendEmailCommand }) =>
          new SendEmailCommand({
            Content: { Raw: { Data: withoutSignatures(raw) } },
            Destination: { ToAddresses: [to] },
            ...(id === "" ? {} : { EmailTags: [{ Name: idName, Value: id }] }),
            ...(configurationSet === null ? {} : { ConfigurationSetName: configurationSet }),
          }),
      ),
    judge,
    test: () => signed(({ GetAccountCommand }) => new GetAccountCommand({})),
    judgeTest,
  };
}
