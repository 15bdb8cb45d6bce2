import { createServer } from "node:http";
import postgres from "postgres";
import { env } from "@/lib/ground/env/env";

/*
 * What the machine can do without us: a bare node:http server that reads a JSON body and does one insert of
 * two rows, a message and an email, for each POST, and one insert of a row for each GET.
 */

const client = postgres(env().DATABASE_URL ?? "", { max: env().DATABASE_POOL });
await client`
  create table if not exists floor_rows (
    id bigint generated always as identity primary key,
    kind text not null, recipient text not null, body text not null,
    created_at timestamptz not null default now()
  )`;

const server = createServer((request, response) => {
  if (request.method === "GET") {
    client`insert into floor_rows (kind, recipient, body) values ('visit', '', ${request.url ?? ""})`
      .then(() => response.writeHead(200, { "content-length": "0" }).end())
      .catch(() => response.writeHead(500).end());
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const input = JSON.parse(Buffer.concat(chunks).toString()) as { to: string; body: string };
    client<{ id: string }[]>`
      insert into floor_rows (kind, recipient, body)
      values ('message', '', ${input.body}), ('email', ${input.to}, '') returning id`
      .then(([row]) => {
        const text = JSON.stringify({ success: true, id: row?.id });
        response.writeHead(200, {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text),
        });
        response.end(text);
      })
      .catch(() => response.writeHead(500).end());
  });
});
server.listen(env().PORT, "127.0.0.1", () => process.send?.({ ready: true }));
process.once("SIGTERM", () => process.exit(0));
