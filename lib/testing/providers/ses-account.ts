import { createPrivateKey, createPublicKey } from "node:crypto";
import {
  startProviderServer,
  type ProviderAnswer,
  type ProviderCall,
} from "@/lib/testing/provider-server";
import { jsonOf } from "./played-provider";
import { isSigned, ses } from "./ses";
import { region as usualRegion } from "./sns";

/** An identity as an account at Amazon SES has it, modelled on its public documentation. */
export interface PlayedIdentity {
  VerifiedForSendingStatus: boolean;
  VerificationStatus: string;
  VerificationInfo?: { ErrorType: string };
  DkimAttributes: { Status: string; SigningAttributesOrigin: string; Tokens: string[] };
  MailFromAttributes?: {
    MailFromDomain: string;
    MailFromDomainStatus: string;
    BehaviorOnMxFailure: string;
  };
  /** Base64 of the DER public key that belongs to the private key it was given; SES shows neither. */
  publicKey?: string;
}

interface SigningAttributes {
  DomainSigningSelector: string;
  DomainSigningPrivateKey: string;
}

const failure = (status: number, error: string, message: string): ProviderAnswer => ({
  status,
  headers: { "x-amzn-errortype": `${error}:http://internal.amazon.com/` },
  json: { message },
});
export const throttled = failure(429, "TooManyRequestsException", "Rate exceeded");
export const deniedAction = (action: string, name: string) =>
  failure(
    403,
    "AccessDeniedException",
    `User: arn:aws:iam::123456789012:user/mail is not authorized to perform: ses:${action} on resource: arn:aws:ses:eu-central-1:123456789012:identity/${name}`,
  );

/** As SES checks it: base64 without lines around it, of an RSA key. Throws. */
function publicKeyOf({ DomainSigningPrivateKey: text }: SigningAttributes): string {
  if (!/^[a-zA-Z0-9+/]+={0,2}$/.test(text)) throw new Error("This is not base64.");
  const key = createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" });
  if (key.asymmetricKeyDetails?.modulusLength !== 2048)
    throw new Error("This key is not RSA 2048.");
  return createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
}

/** A key that the domain's owner brought: SES looks for its record next. */
function signingWith(attributes: SigningAttributes) {
  const { DomainSigningSelector: selector } = attributes;
  return {
    VerifiedForSendingStatus: false,
    VerificationStatus: "PENDING",
    DkimAttributes: {
      Status: "PENDING",
      SigningAttributesOrigin: "EXTERNAL",
      Tokens: [selector],
    },
    publicKey: publicKeyOf(attributes),
  };
}

/** An account at Amazon SES in one region, which checks each request's signature. */
export async function startSesAccount(region = usualRegion) {
  const identities = new Map<string, PlayedIdentity>();
  const account = {
    identities,
    /** What is answered instead, if anything. */
    instead: (_call: ProviderCall): ProviderAnswer | undefined | null => null,
    /** What was asked for so far, as `GET example.com` and `PUT example.com/mail-from`. */
    asked: [] as string[],
    /** SES has found the DKIM record, and the MX record. */
    verify(name: string, { mailFrom = "SUCCESS" }: { mailFrom?: string } = {}) {
      const identity = identities.get(name);
      if (!identity) throw new Error(`The account does not know ${name}.`);
      identity.VerifiedForSendingStatus = true;
      identity.VerificationStatus = "SUCCESS";
      identity.DkimAttributes.Status = "SUCCESS";
      delete identity.VerificationInfo;
      if (identity.MailFromAttributes) identity.MailFromAttributes.MailFromDomainStatus = mailFrom;
    },
    stop: () => Promise.resolve(),
  };

  function create(call: ProviderCall): ProviderAnswer {
    const { EmailIdentity: name, DkimSigningAttributes: attributes } = jsonOf(call) as {
      EmailIdentity: string;
      DkimSigningAttributes: SigningAttributes;
    };
    account.asked.push(`POST ${name}`);
    if (identities.has(name)) {
      return failure(400, "AlreadyExistsException", `Email identity ${name} already exist.`);
    }
    identities.set(name, signingWith(attributes));
    return { status: 200, json: { IdentityType: "DOMAIN", VerifiedForSendingStatus: false } };
  }

  function change(call: ProviderCall, identity: PlayedIdentity, part: string): ProviderAnswer {
    if (part === "mail-from") {
      const { MailFromDomain, BehaviorOnMxFailure } = jsonOf(call) as {
        MailFromDomain: string;
        BehaviorOnMxFailure: string;
      };
      const MailFromDomainStatus = "PENDING";
      identity.MailFromAttributes = { MailFromDomain, MailFromDomainStatus, BehaviorOnMxFailure };
    } else {
      const { SigningAttributes } = jsonOf(call) as { SigningAttributes: SigningAttributes };
      Object.assign(identity, signingWith(SigningAttributes));
    }
    return { status: 200, json: {} };
  }

  function answer(call: ProviderCall): ProviderAnswer | undefined {
    if (!isSigned(call, region)) return ses.refusesKey;
    const instead = account.instead(call);
    if (instead !== null) return instead;
    const [, name = "", part = ""] =
      /^\/v[12]\/email\/identities(?:\/([^/]+)(?:\/(mail-from|dkim\/signing))?)?$/.exec(
        call.path,
      ) ?? [];
    if (name === "") return create(call);
    account.asked.push(`${call.method} ${name}${part && `/${part}`}`);
    const identity = identities.get(name);
    if (!identity) {
      return failure(404, "NotFoundException", `Email identity ${name} does not exist.`);
    }
    if (call.method === "PUT") return change(call, identity, part);
    if (call.method === "DELETE") {
      identities.delete(name);
      return { status: 200, json: {} };
    }
    const { publicKey: _, ...shown } = identity;
    return { status: 200, json: { IdentityType: "DOMAIN", ...shown } };
  }

  const server = await startProviderServer(`ses:${region}`, answer);
  account.stop = () => server.stop();
  return account;
}
