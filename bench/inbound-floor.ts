import postgres from "postgres";
import { SMTPServer } from "smtp-server";
import { env } from "@/lib/ground/env/env";

/*
 * What the machine can do without us: a mail server on loopback that inserts each message as one row, and
 * says 250 after the commit. Tells its parent its port.
 */

const client = postgres(env().DATABASE_URL ?? "", { max: env().DATABASE_POOL });
await client`
  create table if not exists floor_mail (
    id bigint generated always as identity primary key,
    raw text not null, created_at timestamptz not null default now()
  )`;

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS", "AUTH"],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _, callback) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      client`insert into floor_mail (raw) values (${Buffer.concat(chunks).toString("latin1")})`.then(
        () => callback(),
        (error: unknown) => callback(error as Error),
      );
    });
  },
});
server.on("error", () => {});
server.listen(0, "127.0.0.1", () => {
  const address = server.server.address();
  process.send?.(typeof address === "object" ? address?.port : null);
});
process.once("disconnect", () => process.exit(0));
