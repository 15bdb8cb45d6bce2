import { SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** A mail with attachments is one message. */
const largestMessageBytes = 64 * 1024 * 1024;
/** JSON-RPC's code for an error of the server's side. */
const internalError = -32603;

interface ForwardOptions {
  /** Where the tool server is: `https://mail.example.com/mcp`. */
  url: URL;
  apiKey: string;
  /** Hears in a sentence what goes wrong. */
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

/** Passes the protocol between standard input and output and the tool server until the input ends. */
export async function forwardStdio({ url, apiKey, tell }: ForwardOptions): Promise<void> {
  const stdio = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: largestMessageBytes,
  });
  const http = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  });
  http.onmessage = (message) => {
    const version = agreedVersion(message);
    if (version) http.setProtocolVersion(version);
    void stdio.send(message);
  };
  stdio.onmessage = (message) => {
    http.send(message).catch((error: unknown) => {
      const sentence = sentenceFor(error, url);
      tell(sentence);
      if (!isJSONRPCRequest(message)) return;
      const { id } = message;
      void stdio.send({ jsonrpc: "2.0", id, error: { code: internalError, message: sentence } });
    });
  };
  const ended = new Promise<void>((resolve) => {
    stdio.onclose = resolve;
    process.stdin.once("end", resolve);
  });
  await http.start();
  await stdio.start();
  await ended;
  await http.close();
}
