import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "./free-port";

test("it can be listened on, is not given again while it is, and is none of those for outgoing connections", async () => {
  const servers = [];
  for (let nth = 0; nth < 50; nth++) {
    const port = await freePort();
    expect(port).toBeLessThan(32_768);
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    servers.push(server);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

test("it is none that somebody was given before, or is going to listen on", async () => {
  const all = 32_768 - 10_000;
  const left = await freePort();
  const others = Array.from({ length: all }, (_, nth) => 10_000 + nth).filter(
    (port) => port !== left,
  );
  await expect(freePort(others)).rejects.toThrow("No free port was found.");
});
