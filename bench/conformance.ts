import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort } from "@/db/embedded/free-port";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import { systemContext } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { startStand, untilReady } from "./stand";

/*
 * The tool server under the protocol's public conformance suite. Its client knows no keys and uses names of
 * its own: a proxy adds the key and replaces them with our names, in requests only.
 */
const suite = "@modelcontextprotocol/conformance@0.1.16";

/** The ones that apply; docs/mcp.md has the others, with the reasons. */
const scenarios = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "resources-list",
  "resources-read-text",
  "resources-templates-read",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "completion-complete",
  "dns-rebinding-protection",
];

const renamed = (campaign: string): [theirs: string, ours: string][] => [
  ['"name":"test_simple_text"', '"name":"list_domains","arguments":{}'],
  ['"name":"test_error_handling"', '"name":"delete_contact"'],
  ["test://static-text", "lettermill://project"],
  ["test://template/123/data", `lettermill://campaigns/${campaign}/report`],
  ['"name":"test_simple_prompt"', '"name":"check_domain","arguments":{"domain":"sandbox.test"}'],
  ["test_prompt_with_arguments", "write_campaign"],
  ['"arg1":', '"about":'],
  ['"arg2":', '"segment":'],
  ['"name":"arg1"', '"name":"segment"'],
];

const port = await freePort();
const stand = await startStand({ APP_URL: `http://localhost:${port}` });
let failed = 0;
try {
  const { apiKey, projectId } = await bootstrap(stand.db, { email: "owner@example.com" });
  const ctx = systemContext(stand.db, decodeId("project", projectId) ?? "");
  const campaign = await createCampaign(ctx, {
    name: "Number 123",
    subject: "News",
    body: "<p>News</p>",
    from: "hello@sandbox.test",
  });
  await untilReady(stand.run("bench/web.ts", [], { PORT: String(port), NODE_ENV: "production" }));

  const proxy = createServer((asked, response) => {
    const chunks: Buffer[] = [];
    asked.on("data", (chunk: Buffer) => chunks.push(chunk));
    asked.once("end", () => {
      let body = Buffer.concat(chunks).toString();
      for (const [theirs, ours] of renamed(campaign.id)) body = body.replaceAll(theirs, ours);
      const { "content-length": _length, ...headers } = asked.headers;
      const forwarded = request({
        ...{ host: "127.0.0.1", port, path: "/mcp", method: asked.method },
        // Host and Origin as they came: one scenario checks whether they are refused.
        headers: { ...headers, authorization: `Bearer ${apiKey}` },
      });
      forwarded.once("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      forwarded.end(body);
    });
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;

  for (const scenario of scenarios) {
    const args = ["--yes", suite, "server", "--url", url, "--scenario", scenario];
    const child = spawn("npx", args, { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    console.log(`${code === 0 ? "passed" : "FAILED"}  ${scenario}`);
    if (code !== 0) {
      failed++;
      console.log(said);
    }
  }
  proxy.close();
} finally {
  await stand.stop();
}
process.exit(failed === 0 ? 0 : 1);
