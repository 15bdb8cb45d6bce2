import { isIP } from "node:net";
import { z } from "zod";
import { decodeId } from "@/lib/ground/ids/ids";
import { isIssuer, oidcFault } from "./oidc";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";
import { checkProvider } from "@/lib/ground/providers/settings";

const port = z.coerce.number("is not a port number").int().min(0).max(65_535);
const flag = z
  .enum(["0", "1", "true", "false"])
  .transform((value) => value === "1" || value === "true");
const processes = z.coerce.number("is not a number of processes").int().min(1).max(64);
const days = z.coerce.number("is not a number of days").int().min(1).max(36_500);
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean),
);

const hostNames = (fault: string) =>
  list
    .transform((names) => names.map((name) => name.toLowerCase()))
    .refine((names) => names.every((name) => /^[a-z0-9.-]+$/.test(name)), fault);

/** Names of those that are meant, or with a ! before each of them of those that are not. */
const choice = list
  .refine(
    (names) =>
      names.length > 0 &&
      names.every((name) => name.length > 1 && name.startsWith("!") === names[0]?.startsWith("!")),
    "is a list of names, with a ! before each of them or before none",
  )
  .transform((names) => ({
    names: names.map((name) => name.replace(/^!/, "").trim().toLowerCase()),
    inverted: names[0]?.startsWith("!") ?? false,
  }));
const projectIds = choice
  .transform(({ names, inverted }) => ({
    names: names.map((name) => decodeId("project", name)),
    inverted,
  }))
  .refine(({ names }) => !names.includes(null), "is a list of ids of projects, such as prj_…")
  .transform(({ names, inverted }) => ({ names: names.filter((id) => id !== null), inverted }));

export const logLevel = z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]);

const networks = list.refine(
  (entries) => entries.every((entry) => isNetwork(entry)),
  "is a list of IP addresses and networks like 192.0.2.0/24",
);
const nameServers = list.refine(
  (entries) => entries.every((entry) => isNameServer(entry)),
  "is a list of IP addresses, each with a port or not: 127.0.0.1:5353, [::1]:53",
);

function isNameServer(text: string): boolean {
  const [, bracketed, plain, portText] =
    /^(?:\[([^\]]+)\]|([^\][]+?))(?::(\d+))?$/.exec(text) ?? [];
  if (isIP(text) !== 0) return true;
  const valid = bracketed ? isIP(bracketed) === 6 : isIP(plain ?? "") === 4;
  return valid && Number(portText ?? 53) <= 65_535;
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

function isFileStore(text: string): boolean {
  if (text === "disk") return true;
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname, searchParams } = new URL(text);
  const endpoint = searchParams.get("endpoint");
  const complete = [username, password, hostname].every(Boolean) && /^[\w.-]+$/.test(hostname);
  return protocol === "s3:" && complete && (!endpoint || /^https?:\/\/[^/]/.test(endpoint));
}

/** Every setting, each with a default that works on a laptop. docs/configuration.md describes them to operators. */
const settings = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("production"),
  PORT: port.default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: z.string().min(1).optional(),
  DATABASE_DIRECT_URL: z.string().min(1).optional(),
  DATABASE_READ_URL: z.string().min(1).optional(),
  DATABASE_POOLER: flag.optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  APP_HOSTS: hostNames("is a list of host names, without protocol and port").default([]),
  SIGN_UP: z.enum(["open", "invite"]).default("invite"),
  OWNER_EMAIL: z.email().default("owner@example.com"),
  APP_SECRET: z.string().min(16).optional(),
  APP_SECRET_NEXT: z.string().min(16).optional(),
  APP_SECRET_PREVIOUS: list
    .refine(
      (secrets) => secrets.every((secret) => secret.length >= 16),
      "is a list of secrets of at least 16 characters",
    )
    .default([]),
  CRON_SECRET: z.string().min(16).optional(),
  OIDC_ISSUER: z
    .string()
    .refine(
      isIssuer,
      "is the https address that the provider gives as issuer, without /.well-known/openid-configuration",
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_NAME: z
    .string()
    .trim()
    .min(1)
    .max(40, "is longer than 40 characters")
    .default("your company account"),
  OIDC_DOMAINS: hostNames("is a list of mail domains, such as example.com").default([]),
  OIDC_ONLY: flag.default(false),
  SMTP_RELAY_PORT: port.optional(),
  SMTP_INBOUND_PORT: port.optional(),
  SMTP_RELAY_TLS_CERT: z.string().min(1).optional(),
  SMTP_RELAY_TLS_KEY: z.string().min(1).optional(),
  SMTP_RELAY_PLAINTEXT_AUTH: flag.default(false),
  MAIL_TRANSPORT: z
    .string()
    .regex(
      /^(capture|mx(\?.*)?|(smtps?|ses|mailgun):\/\/.+|(resend|postmark|sendgrid):.*)$/,
      "is capture, mx, smtp://user:pass@host:port, ses://REGION, mailgun://DOMAIN, resend:, postmark: or sendgrid:",
    )
    .default("capture"),
  MAIL_TRANSPORT_KEY: z.string().min(1).optional(),
  MAIL_TRANSPORT_WEBHOOK_SECRET: z.string().min(1).optional(),
  MAIL_HOSTNAME: z.string().min(1).default("localhost"),
  MX_CONNECTIONS: flag.default(false),
  SENDING_IPS: networks.default([]),
  SPF_INCLUDE: z.string().min(1).optional(),
  DNS_SERVERS: nameServers.default([]),
  DNSSEC_RESOLVER: z
    .string()
    .refine(isNameServer, "is one IP address, with a port or not: 127.0.0.1:5353")
    .optional(),
  ALLOW_PRIVATE_ADDRESSES: flag.optional(),
  TRUSTED_PROXIES: networks.default([]),
  FILES: z
    .string()
    .refine(
      isFileStore,
      "is disk or s3://key:secret@bucket/prefix?region=...&endpoint=https://..., key and secret percent-encoded",
    )
    .default("disk"),
  KEEP_EMAILS_DAYS: days.min(60).optional(),
  KEEP_CONTENTS_DAYS: days.optional(),
  KEEP_EVENTS_DAYS: days.min(30).optional(),
  KEEP_LINKS_DAYS: days.min(90).optional(),
  KEEP_CAPTURED_DAYS: days.default(30),
  KEEP_RECEIVED_DAYS: days.default(90),
  KEEP_DELIVERIES_DAYS: days.default(30),
  KEEP_AUDIT_DAYS: days.min(30).optional(),
  GEOIP_DB: z.string().min(1).optional(),
  LOG_LEVEL: logLevel.default("info"),
  LOG_REQUESTS: flag.optional(),
  WEB_PROCESSES: processes.optional(),
  WORKER_PROCESSES: processes.optional(),
  WORKER_PROJECTS: projectIds.optional(),
  WORKER_PROVIDERS: choice.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number("is not a share from 0 to 1")
    .min(0, "is not a share from 0 to 1")
    .max(1, "is not a share from 0 to 1")
    .default(1),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
});

/** Settings with those that follow from others filled in. */
export type Env = Omit<
  z.infer<typeof settings>,
  "HOST" | "APP_URL" | "ALLOW_PRIVATE_ADDRESSES" | "LOG_REQUESTS"
> & {
  HOST: string;
  /** Without a trailing slash. */
  APP_URL: string;
  ALLOW_PRIVATE_ADDRESSES: boolean;
  LOG_REQUESTS: boolean;
};

/** Reads settings from `source`; throws one sentence naming each setting that is wrong. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const nonEmpty = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = settings.safeParse(nonEmpty);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`Settings are wrong: ${faults.join("; ")}.`);
  }
  if (parsed.data.DATABASE_DIRECT_URL && !parsed.data.DATABASE_URL) {
    throw new Error("Settings are wrong: DATABASE_DIRECT_URL: is nothing without DATABASE_URL.");
  }
  const fault = oidcFault(parsed.data);
  if (fault !== null) throw new Error(`Settings are wrong: ${fault}.`);
  const { MAIL_TRANSPORT, MAIL_HOSTNAME } = parsed.data;
  // Whoever signs up has no captured mailbox yet, and would wait for the link in vain.
  if (parsed.data.SIGN_UP === "open" && MAIL_TRANSPORT === "capture") {
    throw new Error(
      "Settings are wrong: SIGN_UP: can be open only where MAIL_TRANSPORT sends mail.",
    );
  }
  // Receivers turn away a server that greets them with a name that is not its own.
  if (/^mx\b/.test(MAIL_TRANSPORT) && isLoopback(MAIL_HOSTNAME)) {
    throw new Error(
      "Settings are wrong: MAIL_HOSTNAME: is the public name of this machine under MAIL_TRANSPORT=mx, as its reverse DNS has it.",
    );
  }
  try {
    checkProvider(parsed.data);
  } catch (error) {
    throw new Error(`Settings are wrong: ${error instanceof Error ? error.message : ""}`);
  }
  const appUrl = (parsed.data.APP_URL ?? `http://localhost:${parsed.data.PORT}`).replace(
    /\/+$/,
    "",
  );
  const loopback = isLoopback(new URL(appUrl).hostname);
  return {
    ...parsed.data,
    APP_URL: appUrl,
    HOST: parsed.data.HOST ?? (loopback ? "127.0.0.1" : "0.0.0.0"),
    ALLOW_PRIVATE_ADDRESSES: parsed.data.ALLOW_PRIVATE_ADDRESSES ?? loopback,
    LOG_REQUESTS: parsed.data.LOG_REQUESTS ?? !loopback,
  };
}

const holder = globalThis as { lettermillEnv?: Env };

/** The process's settings, read once. */
export function env(): Env {
  return (holder.lettermillEnv ??= parseEnv(process.env));
}

/** Forgets what was read, after the caller changed process.env (the launcher, and tests). */
export function reloadEnv(): Env {
  delete holder.lettermillEnv;
  return env();
}
