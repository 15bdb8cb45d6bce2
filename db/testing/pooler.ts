import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "@/db/embedded/free-port";
import { until } from "@/lib/testing/until";

/** The installed PgBouncer, if any. */
export const pgbouncer = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
  .map((folder) => join(folder, "pgbouncer"))
  .find((file) => existsSync(file));

/** PgBouncer in transaction mode in front of a database, with `size` connections to it. */
export async function startPooler(
  url: string,
  { size }: { size: number },
): Promise<{ url: string; stop(): Promise<void> }> {
  if (!pgbouncer) throw new Error("PgBouncer is not installed.");
  const behind = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), "lettermill-pooler-"));
  const port = await freePort();
  const [user, password] = [behind.username, behind.password].map(decodeURIComponent);
  const name = behind.pathname.slice(1);
  await writeFile(join(folder, "users.txt"), `"${user}" "${password}"\n`);
  await writeFile(
    join(folder, "pgbouncer.ini"),
    `[databases]
${name} = host=${behind.hostname} port=${behind.port} user=${user} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users.txt")}
pool_mode = transaction
default_pool_size = ${size}
ignore_startup_parameters = extra_float_digits
`,
  );
  await chmod(folder, 0o755);
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ["--user", "nobody"] : [];
  const pooler = spawn(pgbouncer, ["--quiet", ...asUser, join(folder, "pgbouncer.ini")], {
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => pooler.once("exit", () => resolve()));
  await until(() => listensAt(port));
  return {
    url: `postgres://${behind.username}@127.0.0.1:${port}/${name}`,
    async stop() {
      pooler.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function listensAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
