import { once } from "node:events";
import { PassThrough } from "node:stream";
import { SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** A mail with its attachments is one message. */
const largestMessageBytes = 64 * 1024 * 1024;
/** JSON-RPC's code for an error on the server's side. */
const internalError = -32603;

interface ForwardOptions {
  /** Where the tool server is: `https://mail.example.com/mcp`. */
  url: URL;
  apiKey: string;
  /** Is told in a sentence what goes wrong. */
  tell: (sentence: string) => void;
}

/** Why a message could not be passed on, in a sentence for whoever set this up. */
function sentenceFor(error: unknown, url: URL): string {
  if (error instanceof SdkHttpError) {
    const { status } = error;
    if (status === 401) return `${url.href} does not know the key in SERVICE_API_KEY.`;
    if (status === 404) return `There is no tool server at ${url.href}: check SERVICE_API_URL.`;
    if (status === 429) return "Too many requests for this key. Wait a moment and try again.";
    return `${url.href} answers ${status}.`;
  }
  return `${url.href} cannot be reached: check SERVICE_API_URL, and that the product runs.`;
}

/** The version that was agreed on, in the answer to `initialize`. */
function agreedVersion(message: JSONRPCMessage): string | null {
  if (!isJSONRPCResultResponse(message)) return null;
  const { protocolVersion } = message.result as { protocolVersion?: unknown };
  return typeof protocolVersion === "string" ? protocolVersion : null;
}

/** Requests that have been passed on and not been answered yet. */
class Unanswered {
  readonly #ids = new Set<string | number>();
  #whenNone: () => void = () => {};

  add(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#ids.add(message.id);
  }

  remove(id: string | number | undefined): void {
    if (id !== undefined && this.#ids.delete(id) && this.#ids.size === 0) this.#whenNone();
  }

  async none(): Promise<void> {
    if (this.#ids.size > 0) await new Promise<void>((resolve) => (this.#whenNone = resolve));
  }
}

/** The id that a message answers. */
function answeredId(message: JSONRPCMessage): string | number | undefined {
  return "method" in message ? undefined : message.id;
}

/**
 * Passes the protocol between standard input and output and the tool server. Resolves when the input has
 * ended and everything asked until then has been answered.
 */
export async function forwardStdio({ url, apiKey, tell }: ForwardOptions): Promise<void> {
  // The transport closes when its input ends, and would answer nothing more.
  const input = new PassThrough();
  const stdio = new StdioServerTransport(input, process.stdout, {
    maxBufferSize: largestMessageBytes,
  });
  const http = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  });
  const unanswered = new Unanswered();
  const answer = async (message: JSONRPCMessage) => {
    await stdio.send(message);
    unanswered.remove(answeredId(message));
  };
  http.onmessage = (message) => {
    const version = agreedVersion(message);
    if (version) http.setProtocolVersion(version);
    void answer(message);
  };
  stdio.onmessage = (message) => {
    unanswered.add(message);
    http.send(message).catch((error: unknown) => {
      const sentence = sentenceFor(error, url);
      tell(sentence);
      if (!isJSONRPCRequest(message)) return;
      const { id } = message;
      void answer({ jsonrpc: "2.0", id, error: { code: internalError, message: sentence } });
    });
  };
  await http.start();
  await stdio.start();
  process.stdin.pipe(input, { end: false });
  // Nobody is reading the answers any more.
  process.stdout.once("error", () => process.exit(0));
  await once(process.stdin, "close");
  // The last input read is parsed before it counts as asked.
  await new Promise((resolve) => setImmediate(resolve));
  await unanswered.none();
  await http.close();
  await stdio.close();
}
