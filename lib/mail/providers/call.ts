import { guardedFetch, type KeptConnections } from "@/lib/ground/net/guarded-fetch";
import { endpointOf, type ProviderEndpoint } from "@/lib/ground/net/provider-endpoints";
import type { ProviderAnswer, ProviderRequest } from "./provider";

const largestAnswerBytes = 64 * 1024;

/** Makes one request of a provider's API. Throws GuardedFetchError. */
export async function callProvider(
  endpoint: ProviderEndpoint,
  { method, path, headers, body }: ProviderRequest,
  how: { timeoutMilliseconds: number; connections: KeptConnections },
): Promise<ProviderAnswer> {
  const response = await guardedFetch(endpointOf(endpoint) + path, {
    method,
    // Resend answers no caller without a name.
    headers: { ...headers, "user-agent": "Lettermill" },
    ...(body === undefined ? {} : { body }),
    largestBytes: largestAnswerBytes,
    secure: true,
    ...how,
  });
  const { status, headers: answered } = response;
  // The status tells what became of the request, whatever became of the words.
  const text = await textOf(response.body).catch(() => "");
  return { status, headers: answered, text, json: parsed(text) };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
