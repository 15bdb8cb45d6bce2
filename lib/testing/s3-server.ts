import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expectedSignature, sha256Hex } from "./aws-signature";

export interface S3Server {
  /** For FILES. */
  setting: string;
  /** What it holds, by path. */
  objects: Map<string, { body: Buffer; contentType: string }>;
  /** Calls so far, as `PUT /bucket/key`. */
  calls: string[];
  /** Answers the next calls with this status instead, like a store in trouble. */
  failNext(...statuses: number[]): void;
  stop(): Promise<void>;
}

const accessKey = "AKIDEXAMPLE";
const secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const region = "eu-test-1";
const keeper = { service: "s3", region, accessKey, secretKey } as const;

/** A store that speaks S3's PUT, GET and DELETE of objects, and checks signatures and digests. */
export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server["objects"] = new Map();
  const calls: string[] = [];
  const failures: number[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const body = await buffer(request);
    calls.push(`${request.method} ${path}`);
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    const failure = failures.shift();
    if (failure) return void refuse(failure, "SlowDown");
    const signature = expectedSignature(request, keeper);
    if (!signature || !request.headers.authorization?.endsWith(`Signature=${signature}`)) {
      return void refuse(403, "SignatureDoesNotMatch");
    }
    if (request.method === "PUT") {
      if (request.headers["content-length"] === undefined) {
        return void refuse(411, "MissingContentLength");
      }
      if (request.headers["x-amz-content-sha256"] !== sha256Hex(body)) {
        return void refuse(400, "XAmzContentSHA256Mismatch");
      }
      objects.set(path, { body, contentType: request.headers["content-type"] ?? "" });
      return void response.end();
    }
    if (request.method === "DELETE") {
      objects.delete(path);
      return void response.writeHead(204).end();
    }
    const object = objects.get(path);
    if (!object) return void refuse(404, "NoSuchKey");
    response.end(object.body);
  }

  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const secret = encodeURIComponent(secretKey);
  return {
    setting: `s3://${accessKey}:${secret}@mail-files/assets?region=${region}&endpoint=http://127.0.0.1:${port}`,
    objects,
    calls,
    failNext: (...statuses) => void failures.push(...statuses),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
