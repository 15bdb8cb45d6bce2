import { openAsBlob } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import type { FileStore } from "./store";

/** How long the store may take to begin its answer, including an upload of 25 MB. */
const answerMilliseconds = 60_000;

/**
 * An S3-speaking store: `s3://key:secret@bucket/prefix?region=eu-central-1`, with `&endpoint=https://...` for
 * stores other than Amazon's (the bucket is then part of the path). Key and secret are percent-encoded.
 */
export function s3Store(setting: string): FileStore {
  const url = new URL(setting);
  const region = url.searchParams.get("region") ?? "us-east-1";
  const endpoint = url.searchParams.get("endpoint");
  const bucket = url.hostname;
  const base = endpoint
    ? `${endpoint.replace(/\/+$/, "")}/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`;
  const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    service: "s3",
    region,
    retries: 2,
  });
  const addressOf = (key: string) => [base, prefix, key].filter(Boolean).join("/");

  async function call(key: string, init: RequestInit): Promise<Response> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), answerMilliseconds);
    try {
      return await client.fetch(addressOf(key), { ...init, signal: deadline.signal });
    } catch (error) {
      throw new Error(`The file store did not answer ${init.method}.`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async function fail(response: Response, method: string): Promise<never> {
    const text = await response.text();
    const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? "no code";
    throw new Error(`The file store answered ${response.status} (${code}) to ${method}.`);
  }

  return {
    stagingFolder: join(tmpdir(), "lettermill-files"),
    async put(key, { path, sha256 }, contentType) {
      const response = await call(key, {
        method: "PUT",
        headers: {
          "content-type": contentType,
          // Signed with the content's digest, so that the store refuses anything that arrives altered.
          "x-amz-content-sha256": sha256.toString("hex"),
        },
        body: await openAsBlob(path),
      });
      if (!response.ok) await fail(response, "PUT");
      await response.body?.cancel();
    },
    async read(key) {
      const response = await call(key, { method: "GET" });
      if (response.status === 404) {
        await response.body?.cancel();
        return null;
      }
      if (!response.ok) await fail(response, "GET");
      return response.body;
    },
    async delete(key) {
      const response = await call(key, { method: "DELETE" });
      if (!response.ok && response.status !== 404) await fail(response, "DELETE");
      await response.body?.cancel();
    },
  };
}
