import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import * as nextAuth from "./[...nextauth]/route";
import * as links from "./links/route";
import * as oidc from "./oidc/route";
import * as oidcCallback from "./oidc/callback/route";
import * as passkeys from "./passkeys/route";
import * as password from "./password/route";
import * as signUp from "./sign-up/route";
import * as signUpEnd from "./sign-up/finish/route";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const allowOf = (headers: Headers) => headers.get("allow")?.split(", ").sort();

test.each([
  ["links", links, ["POST"]],
  ["oidc", oidc, ["POST"]],
  ["oidc/callback", oidcCallback, ["GET"]],
  ["passkeys", passkeys, ["POST"]],
  ["password", password, ["POST"]],
  ["sign-up", signUp, ["POST"]],
  ["sign-up/finish", signUpEnd, ["POST"]],
  ["callback/password", nextAuth, ["POST"]],
  ["csrf", nextAuth, ["GET", "HEAD"]],
  ["session", nextAuth, ["GET", "HEAD", "POST"]],
  ["signout", nextAuth, ["GET", "HEAD", "POST"]],
])("/api/auth/%s takes what it says", async (path, route, allowed) => {
  type Handler = (request: NextRequest, route: object) => Response | Promise<Response>;
  const params = Promise.resolve({ nextauth: path.split("/") });
  for (const method of methods.filter((one) => !allowed.includes(one))) {
    const request = new NextRequest(`http://localhost/api/auth/${path}`, { method });
    const answer = await (route as unknown as Record<string, Handler>)[method]?.(request, {
      params,
    });
    expect([method, answer?.status, answer && allowOf(answer.headers)]).toEqual([
      ...[method, 405, allowed],
    ]);
  }
});
