import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { retrySeconds } from "@/lib/ground/unforeseen-errors";

/** The colours are those of app/globals.css, which may not be available to load. */
const style = `
:root { color-scheme: light dark; font: 15px/1.55 ui-sans-serif, system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f7f2e7, #1a1714); color: light-dark(#211b16, #f1e9dc); }
main {
  box-sizing: border-box; width: min(26rem, 100vw - 2rem); margin: 16vh auto 2rem; padding: 2rem;
  background: light-dark(#fefcf6, #221e1a); border: 1px solid light-dark(#e0d6c5, #38312a);
  border-top: 4px solid light-dark(#c4351a, #f2694a); border-radius: 4px;
}
h1 { margin: 0 0 .75rem; font: 600 1.55rem/1.25 ui-serif, Georgia, serif; }
p { margin: 0 0 .75rem; color: light-dark(#574c42, #c3b7a7); }
p:last-child { margin: 1.25rem 0 0; font-size: .85rem; color: light-dark(#6d6156, #a09484); }
`;

/** Without scripts or files, since anything it loads may be down as well. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${retrySeconds}">
<title>The database cannot be reached</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>The database cannot be reached</h1>
<p>The server is running, but its database does not answer at the moment. Nothing that was saved is lost.</p>
<p>This page tries again every ${retrySeconds} seconds.</p>
</main>
</body>
</html>
`;

const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; frame-ancestors 'none'`;

/** Answers a page request while the database is down: 503, when to return, and that in words. */
export function answerUnavailable(response: ServerResponse): void {
  response.writeHead(503, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cache-control": "no-store",
    "retry-after": String(retrySeconds),
  });
  response.end(page);
}
