import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export const sha256Hex = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const mac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

interface SignedCall {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}
interface Keeper {
  service: "s3" | "ses";
  region: string;
  accessKey: string;
  secretKey: string;
}

/** The signature Amazon's documentation (Signature Version 4) asks for; null: the request has none. */
export function expectedSignature(request: SignedCall, keeper: Keeper): string | null {
  const { service, region, accessKey, secretKey } = keeper;
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/(\w+)\/aws4_request, SignedHeaders=([^,]+), Signature=[0-9a-f]{64}$/;
  const [, key, day, where, what, signed] = form.exec(request.headers.authorization ?? "") ?? [];
  const time = String(request.headers["x-amz-date"]);
  if (key !== accessKey || where !== region || what !== service) return null;
  if (!day || !signed || !time.startsWith(day)) return null;
  const names = signed.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.includes(name))) {
    return null;
  }
  const canonical = [
    request.method,
    request.url,
    "",
    ...names.map((name) => `${name}:${String(request.headers[name])}`),
    "",
    signed,
    request.headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256Hex(canonical)].join("\n");
  const signing = mac(mac(mac(mac(`AWS4${secretKey}`, day), region), service), "aws4_request");
  return mac(signing, text).toString("hex");
}
