import type { SESv2Client } from "@aws-sdk/client-sesv2";
import { endpointOf } from "@/lib/ground/net/provider-endpoints";

/** Who asks Amazon SES. */
export interface SesAccount {
  region: string;
  /** null: the machine's own, found by the SDK (environment, profile, role). */
  key: { id: string; secret: string } | null;
}

/** A request that is ready to be sent. */
export interface SignedRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

/** No key was found where the machine's own was to be used. */
export class NoAwsKeyError extends Error {
  constructor() {
    super("This machine has no AWS credentials: the SDK found none.");
    this.name = "NoAwsKeyError";
  }
}

function bytesOf(body: unknown): Buffer {
  if (!(body instanceof Uint8Array)) return Buffer.from(String(body));
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

const loadSdk = () => import("@aws-sdk/client-sesv2");
export type SesSdk = Awaited<ReturnType<typeof loadSdk>>;

interface HandedOut {
  request?: { method: string; path: string; headers: Record<string, string>; body?: unknown };
}

/**
 * Writes and signs requests by the AWS SDK, and sends none: they leave as all calls to providers do, within the same
 * bounds. The SDK is loaded with the first one.
 */
export class SesRequests {
  readonly #account: SesAccount;
  #client: Promise<{ sdk: SesSdk; client: SESv2Client }> | null = null;

  constructor(account: SesAccount) {
    this.#account = account;
  }

  /** Throws NoAwsKeyError. */
  async request(command: (sdk: SesSdk) => object): Promise<SignedRequest> {
    const { sdk, client } = await (this.#client ??= this.#load());
    const handedOut = await client.send(command(sdk) as never).catch((error: unknown) => {
      const { name } = error as { name?: unknown };
      throw name === "CredentialsProviderError" ? new NoAwsKeyError() : error;
    });
    const { request } = handedOut as HandedOut;
    if (!request) throw new Error("The AWS SDK has written no request.");
    const { method, path, headers, body } = request;
    return {
      method: method as SignedRequest["method"],
      path,
      headers: { ...headers },
      ...(body === undefined ? {} : { body: bytesOf(body) }),
    };
  }

  async #load() {
    const { region, key } = this.#account;
    const sdk = await loadSdk();
    const client = new sdk.SESv2Client({
      region,
      endpoint: endpointOf(`ses:${region}`),
      ...(key && { credentials: { accessKeyId: key.id, secretAccessKey: key.secret } }),
      // Nothing is sent here, so there is nothing to try again.
      maxAttempts: 1,
    });
    client.middlewareStack.addRelativeTo(
      () =>
        ({ request }: { request: unknown }) =>
          Promise.resolve({ response: {}, output: { request, $metadata: {} } as never }),
      { name: "handOut", relation: "after", toMiddleware: "httpSigningMiddleware" },
    );
    return { sdk, client };
  }
}
