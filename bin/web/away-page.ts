import type { ServerResponse } from "node:http";
import { awayRetrySeconds } from "@/lib/ground/unforeseen-errors";

/** Without a script, so that it needs nothing that may be away, too: the browser asks again by itself. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${awayRetrySeconds}">
<title>The database cannot be reached</title>
</head>
<body>
<main>
<h1>The database cannot be reached</h1>
<p>Lettermill is running, but its database does not answer at the moment. None of your data was lost.</p>
<p>This page tries again every ${awayRetrySeconds} seconds.</p>
</main>
</body>
</html>
`;

/** Answers a page's request while the database is away: 503, when to come back, and the same in words. */
export function answerAway(response: ServerResponse): void {
  response.writeHead(503, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "retry-after": String(awayRetrySeconds),
  });
  response.end(page);
}
