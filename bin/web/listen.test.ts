import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { root } from "@/bin/start/root";
import { until } from "@/lib/testing/until";

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

/** A server in a process of its own: it names itself in its answers, listens and ends as web does. */
const source = `
import { createServer } from "node:http";
import { close, listen } from ${JSON.stringify(pathToFileURL(join(root, "bin/web/listen.ts")).href)};
const slow = [];
process.on("message", () => slow.forEach((response) => response.end("finished")));
const server = createServer((request, response) => {
  if (request.url === "/slow/" + process.pid) {
    slow.push(response.writeHead(200));
    response.flushHeaders();
  } else response.end(String(process.pid));
});
process.on("SIGTERM", async () => { await close(server); process.exit(0); });
process.send(await listen(server, Number(process.env.SHARED), "127.0.0.1", { shared: true }));
`;

/** On a free port for 0. */
async function startWeb(port: number): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e", source],
    {
      cwd: root,
      env: { ...process.env, SHARED: String(port) },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  running.push(child);
  const [bound] = (await once(child, "message")) as [number];
  return { child, port: bound };
}

/** How many of so many requests each process answered, each over a connection of its own. */
async function answers(port: number, requests: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let request = 0; request < requests; request++) {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      headers: { connection: "close" },
    });
    const pid = await response.text();
    counts.set(pid, (counts.get(pid) ?? 0) + 1);
  }
  return counts;
}

/** A request that this process has begun to answer. */
async function slowRequest(port: number, { pid }: ChildProcess): Promise<Response> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/slow/${pid}`, {
      headers: { connection: "close" },
    });
    const begun = response.headers.get("content-length") === null;
    if (begun) return response;
    await response.text();
  }
}

test("several processes share the port evenly, and one that stops finishes what it has begun", async () => {
  const { child: first, port } = await startWeb(0);
  const { child: second } = await startWeb(port);
  const shares = await answers(port, 200);
  expect([...shares.keys()].sort()).toEqual([first.pid, second.pid].map(String).sort());
  // Even chances: fewer than 60 of 200 happens once in a hundred million times.
  for (const share of shares.values()) expect(share).toBeGreaterThanOrEqual(60);

  const slow = await slowRequest(port, first);
  const ended = once(first, "exit");
  first.kill("SIGTERM");
  // A connection that the ending process had not accepted yet is reset.
  await until(async () => (await answers(port, 20).catch(() => null))?.size === 1);
  first.send("finish");
  expect(await slow.text()).toBe("finished");
  expect(await ended).toEqual([0, null]);
  expect([...(await answers(port, 20)).keys()]).toEqual([String(second.pid)]);
});
