import { forwardStdio } from "./mcp/forward";

/*
 * `npm run -s mcp`: the tool server over standard input and output, for assistants that start a program.
 * It passes the protocol on to SERVICE_API_URL/mcp with SERVICE_API_KEY, where the tools are.
 */

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const apiKey = process.env["SERVICE_API_KEY"];
if (!apiKey) {
  fail(
    "SERVICE_API_KEY is missing: set it to an API key, which the dashboard makes under API keys.",
  );
}
const base = process.env["SERVICE_API_URL"] ?? "http://localhost:3000";
if (!URL.canParse(base) || !/^https?:/.test(base)) {
  fail(`SERVICE_API_URL is not an http or https address: ${base}`);
}

await forwardStdio({
  url: new URL(`${base.replace(/\/+$/, "")}/mcp`),
  apiKey,
  tell: (sentence) => process.stderr.write(`${sentence}\n`),
});
