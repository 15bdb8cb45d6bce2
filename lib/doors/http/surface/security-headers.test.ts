import { describe, expect, it } from "vitest";
import { contentSecurityPolicy, pageSecurityHeaders } from "./security-headers";

const directive = (policy: string, name: string) =>
  policy.split("; ").find((part) => part.startsWith(`${name} `));

describe("the pages' policy", () => {
  it("runs scripts with the nonce alone, never inline or evaluated ones", () => {
    const scripts = directive(contentSecurityPolicy({ nonce: "abc" }), "script-src");
    expect(scripts).toContain("'nonce-abc'");
    expect(scripts).not.toMatch(/unsafe/);
  });

  it("lets nobody frame the pages, send forms elsewhere or change the base address", () => {
    const policy = contentSecurityPolicy({ nonce: "abc" });
    expect(directive(policy, "frame-ancestors")).toBe("frame-ancestors 'none'");
    expect(directive(policy, "form-action")).toBe("form-action 'self'");
    expect(directive(policy, "base-uri")).toBe("base-uri 'none'");
  });

  it("names no host outside", () => {
    expect(contentSecurityPolicy({ nonce: "abc", https: true })).not.toMatch(/https?:\/\//);
  });
});

describe("the pages' other headers", () => {
  it("keep an address that carries a token to its holder, and out of search engines", () => {
    for (const path of ["/login/token/abc", "/sign-in/reset/abc", "/sign-in/invitation/abc"]) {
      expect(pageSecurityHeaders({ path })).toMatchObject({
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex, nofollow",
      });
    }
    expect(pageSecurityHeaders({ path: "/sign-in" })["referrer-policy"]).toMatch(/^strict-origin/);
  });

  it("leave a window that an assistant opened with its opener, and no other page", () => {
    const policy = (path: string) => pageSecurityHeaders({ path })["cross-origin-opener-policy"];
    expect(policy("/oauth/authorize")).toBe("unsafe-none");
    expect(policy("/sign-in")).toBe("unsafe-none");
    for (const path of [
      "/dashboard",
      "/sign-in/reset/abc",
      "/oauth/authorize/x",
      "/login/token/a",
    ]) {
      expect(policy(path)).toBe("same-origin");
    }
  });
});
