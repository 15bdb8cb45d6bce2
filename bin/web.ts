import { once } from "node:events";
import { env } from "@/lib/ground/env/env";
import { log } from "@/lib/ground/log";
import { runProgram } from "./program";
import { root } from "./start/root";
import { settle } from "./start/settings";
import { close, listen } from "./web/listen";
import { logPageFaults } from "./web/page-faults";
import { createWebServer, type PageHandler } from "./web/server";

await runProgram("web", async ({ signal, ready }) => {
  const { NODE_ENV, HOST, PORT, APP_URL, APP_SECRET, LOG_REQUESTS, WEB_PROCESSES = 1 } = env();
  const dev = NODE_ENV === "development";
  settle({ NEXTAUTH_URL: APP_URL, NEXTAUTH_SECRET: APP_SECRET, NEXT_TELEMETRY_DISABLED: "1" });
  let pages: PageHandler = async () => {};
  const server = createWebServer({
    pages: (...args) => pages(...args),
    dev,
    signal,
    ...(LOG_REQUESTS ? { requestLog: log } : {}),
  });
  if (!dev) logPageFaults();
  const { default: next } = await import("next");
  const app = next({ dev, dir: root, hostname: HOST, port: PORT, httpServer: server });
  await app.prepare();
  pages = app.getRequestHandler();
  const port = await listen(server, PORT, HOST, { shared: WEB_PROCESSES > 1 });
  ready(`${HOST}:${port}`);
  if (!signal.aborted) await once(signal, "abort");
  await close(server);
  await app.close();
});
