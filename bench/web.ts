import { close, listen } from "@/bin/web/listen";
import { createWebServer } from "@/bin/web/server";
import { env } from "@/lib/ground/env/env";

/* The product's HTTP surfaces as `npm run web` serves them, but no pages: no build to wait for. */

const { HOST, PORT, WEB_PROCESSES = 1 } = env();
const stopping = new AbortController();
const server = createWebServer({
  pages: (_, response) => Promise.resolve(void response.writeHead(404).end()),
  dev: false,
  signal: stopping.signal,
});
await listen(server, PORT, HOST, { shared: WEB_PROCESSES > 1 });
process.send?.({ type: "ready" });
process.once("SIGTERM", () => {
  stopping.abort();
  void close(server).then(() => process.exit(0));
});
