import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@/bin/start/root";
import { freePort } from "@/db/embedded/free-port";
import { until } from "@/lib/testing/until";

/*
 * What a person does first: npm start in a fresh folder, the printed curl line, and Ctrl-C. Prints how long
 * each step took, and fails when something did not happen, took too long or was left behind.
 */

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => resolve(false)).setTimeout(1000, () => socket.destroy());
    socket.once("connect", () => socket.destroy());
  });

/** Processes whose working directory is in the folder: what a stop left behind. */
function processesIn(folder: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}

const report = (what: string, milliseconds: number) =>
  console.log(`${what}: ${(milliseconds / 1000).toFixed(2)} s`);

const dataDir = await mkdtemp(join(tmpdir(), "lettermill-smoke-"));
const [port, relay, inbound] = [await freePort(), await freePort(), await freePort()];
const began = performance.now();
const child = spawn("npm", ["start", "--silent"], {
  cwd: root,
  detached: true,
  stdio: ["ignore", "pipe", "pipe"],
  env: {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    SMTP_RELAY_PORT: String(relay),
    SMTP_INBOUND_PORT: String(inbound),
    NO_COLOR: "1",
  },
});
let said = "";
child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
let code: number | null | undefined;
child.on("exit", (status) => (code = status));

try {
  await until(
    () => {
      if (code !== undefined) throw new Error("npm start ended by itself.");
      return /^curl .*\n\n$/m.test(said);
    },
    { what: "the greeting", seconds: 180 },
  );
  report("npm start to the greeting", performance.now() - began);

  const curl = /^curl .*$/m.exec(said)?.[0] ?? "";
  const key = /sk_live_\w+/.exec(curl)?.[0] ?? "";
  const sent = performance.now();
  const answer = JSON.parse(
    execFileSync("/bin/sh", ["-c", `${curl} -s`], { encoding: "utf8" }),
  ) as {
    data: { emails: { email: string }[] };
  };
  const id = answer.data.emails[0]?.email;
  const asked = performance.now();
  await until(
    async () => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/emails/${id}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { email } = (await response.json()) as { email: { status: string } };
      return email.status === "DELIVERED";
    },
    { what: "DELIVERED after the curl line", seconds: 1 },
  );
  const delivered = performance.now() - asked;
  report("curl line", performance.now() - sent - delivered);
  report("accepted to DELIVERED", delivered);

  const stopped = performance.now();
  // To npm's whole group, as Ctrl-C in a terminal goes.
  process.kill(-(child.pid ?? 0), "SIGTERM");
  await until(() => code !== undefined, { what: "the end after SIGTERM", seconds: 30 });
  await until(() => processesIn(dataDir).length === 0, {
    what: "the end of every process",
    seconds: 10,
  });
  report("SIGTERM to the end", performance.now() - stopped);
  const open = await Promise.all([port, relay].map(isOpen));
  if (open.includes(true)) throw new Error("A port is still listened on.");
} catch (error) {
  console.error(said);
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
  if (code === undefined) {
    process.kill(-(child.pid ?? 0), "SIGTERM");
    await until(() => code !== undefined, { what: "the end after SIGTERM", seconds: 30 }).catch(
      () => {
        process.kill(-(child.pid ?? 0), "SIGKILL");
      },
    );
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
