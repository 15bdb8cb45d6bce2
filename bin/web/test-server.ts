import { listen } from "./listen";
import { createWebServer } from "./server";

/**
 * The product's web server on a free port of loopback, with "a page" for all that Next would answer. Whoever
 * starts it closes it.
 */
export async function startWebServer(options: Partial<Parameters<typeof createWebServer>[0]> = {}) {
  const server = createWebServer({
    pages: (_, response) => Promise.resolve(void response.end("a page")),
    dev: false,
    signal: new AbortController().signal,
    ...options,
  });
  const port = await listen(server, 0, "127.0.0.1");
  return { server, port, origin: `http://127.0.0.1:${port}` };
}
