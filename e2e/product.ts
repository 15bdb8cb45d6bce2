import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@/db/embedded/free-port";
import { scratchFolder } from "@/db/testing/scratch";
import { until } from "@/lib/testing/until";

/** The checkout. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

const startSeconds = 120;

/** A separate product, started as `npm start` does it. */
export interface Product {
  url: string;
  dataDir: string;
  /** Address of the project's owner. */
  owner: string;
  /** Wire id; in a product that has just started, of the project it made. */
  projectId: string;
  apiKey: string;
  /** Where other mail servers bring mail. */
  inboundPort: number;
  loginUrl: string;
  /** The first email's curl line, as printed. */
  curl: string;
  /** Everything it has said so far. */
  output(): string;
  /** Milliseconds from the start of the process to the greeting. */
  startedInMs: number;
  /** Process of one of its programs; null while there is none. Linux only. */
  programPid(name: "web" | "worker" | "smtp"): number | null;
  /** Ends it and starts it again, with other settings when there are some. */
  restart(env?: Record<string, string>): Promise<void>;
  /** Ends it as Ctrl-C would, waits for it and returns the exit code. */
  stop(): Promise<number | null>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** Settings that a developer's environment must not bring in. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^(PORT|HOST|DATABASE_|DATA_DIR|APP_|CRON_|SMTP_|MAIL_|SENDING_|SPF_|DNS_|ALLOW_|SIGN_UP|OIDC_|LOG_|NODE_ENV|npm_)/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), NODE_ENV: "production" };
}

/** Starts the built product with a DATA_DIR and ports of its own and waits for its greeting. */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(scratchFolder(), "lettermill-e2e-"));
  const [port, relay, inbound] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...cleanEnvironment(),
    DATA_DIR: dataDir,
    PORT: String(port),
    SMTP_RELAY_PORT: String(relay),
    SMTP_INBOUND_PORT: String(inbound),
    LOG_LEVEL: "warn",
    NO_COLOR: "1",
    ...settings,
  };
  let child: ChildProcess;
  let said = "";

  async function launch(more: Record<string, string> = {}): Promise<number> {
    said = "";
    const began = performance.now();
    child = spawn(process.execPath, ["--import", "tsx", "bin/start.ts"], {
      cwd: root,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const ended = () => child.exitCode !== null || child.signalCode !== null;
    await until(
      () => {
        if (ended()) throw new Error(`The product ended at its start: ${said}`);
        return /Lettermill is running[\s\S]*\n\n$/.test(said) || null;
      },
      { what: "the product's greeting", seconds: startSeconds },
    ).catch((error: unknown) => {
      child.kill("SIGTERM");
      throw new Error(`${String(error)}\n${said}`);
    });
    return performance.now() - began;
  }

  async function stop(): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    return exited;
  }

  const startedInMs = await launch();
  const find = (pattern: RegExp, what: string): string => {
    const matched = pattern.exec(said)?.[1];
    if (!matched) throw new Error(`The greeting has no ${what}: ${said}`);
    return matched;
  };
  const captured = (settings["MAIL_TRANSPORT"] ?? "capture") === "capture";
  return {
    url: `http://localhost:${port}`,
    dataDir,
    owner: "owner@example.com",
    projectId: captured ? find(/\/dashboard\/(prj_\w+)\/captured/, "project") : "",
    inboundPort: Number(env.SMTP_INBOUND_PORT),
    apiKey: find(/(sk_live_\w+)/, "API key"),
    loginUrl: find(/(http\S+\/login\/token\/\S+)/, "login link"),
    curl: captured ? find(/^(curl .*)$/m, "curl line") : "",
    output: () => said,
    startedInMs,
    programPid: (name) => childNamed(child.pid ?? 0, name),
    restart: async (more) => {
      await stop();
      await launch(more);
    },
    stop,
    remove: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function childNamed(parent: number, name: string): number | null {
  for (const pid of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, ppid] = /\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      if (Number(ppid) === parent && command.includes(name)) return Number(pid);
    } catch {
      // It ended while we looked.
    }
  }
  return null;
}

/** A request to the product's API with its first key, made again when there were too many. */
export async function callApi<Body>(
  product: Product,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${product.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${product.apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status === 429) {
    await setTimeout(Number(response.headers.get("retry-after") ?? 1) * 1000);
    return callApi(product, method, path, body);
  }
  return { status: response.status, body: (text ? JSON.parse(text) : null) as Body };
}
