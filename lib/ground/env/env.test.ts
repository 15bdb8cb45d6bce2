import { describe, expect, it } from "vitest";
import { parseEnv } from "./env";

describe("parseEnv", () => {
  it("fills in what follows from other settings", () => {
    expect(parseEnv({ PORT: "4000" })).toMatchObject({
      APP_URL: "http://localhost:4000",
      HOST: "127.0.0.1",
      ALLOW_PRIVATE_ADDRESSES: true,
      LOG_REQUESTS: false,
    });
    expect(parseEnv({ APP_URL: "https://mail.example.com/" })).toMatchObject({
      APP_URL: "https://mail.example.com",
      HOST: "0.0.0.0",
      ALLOW_PRIVATE_ADDRESSES: false,
      LOG_REQUESTS: true,
    });
  });

  it("takes an empty setting for one that is not there", () => {
    expect(parseEnv({ DNS_SERVERS: "", PORT: "" })).toMatchObject({ DNS_SERVERS: [], PORT: 3000 });
  });

  it.each([
    ["DNS_SERVERS", "127.0.0.1:5353, 192.0.2.1"],
    ["DNS_SERVERS", "::1,[2001:db8::1]:53"],
    ["SENDING_IPS", "192.0.2.10, 2001:db8::/32"],
    ["TRUSTED_PROXIES", "10.0.0.0/8"],
  ])("reads %s=%s", (name, value) => {
    expect(parseEnv({ [name]: value })).toMatchObject({
      [name]: value.split(",").map((part) => part.trim()),
    });
  });

  it("reads whose mail a worker sends", () => {
    const [project, uuid] = [
      "prj_01h455vb4pex5vsknk084sn02q",
      "01890a5d-ac96-774b-bcce-b302099a8057",
    ];
    expect(
      parseEnv({ WORKER_PROJECTS: `!${project}`, WORKER_PROVIDERS: "Google, other" }),
    ).toMatchObject({
      WORKER_PROJECTS: { names: [uuid], inverted: true },
      WORKER_PROVIDERS: { names: ["google", "other"], inverted: false },
    });
  });

  it.each([
    "disk",
    "s3://key:secret@bucket",
    "s3://key:a%2Fb@my.bucket/some/where?region=eu-central-1&endpoint=http://127.0.0.1:9000",
  ])("reads FILES=%s", (value) => {
    expect(parseEnv({ FILES: value })).toMatchObject({ FILES: value });
  });

  it.each([
    ["FILES", "disc"],
    ["FILES", "s3://bucket"],
    ["FILES", "s3://key:secret@bucket?endpoint=minio:9000"],
    ["FILES", "https://key:secret@bucket"],
    ["DNS_SERVERS", "dns.example.com"],
    ["DNS_SERVERS", "127.0.0.1:99999"],
    ["DNS_SERVERS", "[127.0.0.1]:53"],
    ["SENDING_IPS", "mail.example.com"],
    ["SENDING_IPS", "192.0.2.0/33"],
    ["SENDING_IPS", "192.0.2.0/"],
    ["TRUSTED_PROXIES", "10.0.0.0/8/8"],
    ["MAIL_TRANSPORT", "sendmail"],
    ["WORKER_PROJECTS", "prj_1"],
    ["WORKER_PROJECTS", "tpl_01h455vb4pex5vsknk084sn02q"],
    ["WORKER_PROJECTS", ","],
    ["WORKER_PROVIDERS", "google,!microsoft"],
    ["WORKER_PROVIDERS", "!"],
  ])("refuses %s=%s in one sentence that names it", (name, value) => {
    expect(() => parseEnv({ [name]: value })).toThrow(new RegExp(`^Settings are wrong: ${name}: `));
  });
});

it("mail goes straight to receivers only under a name that they can look up", () => {
  for (const MAIL_TRANSPORT of ["mx", "mx?connections=3"]) {
    expect(() => parseEnv({ MAIL_TRANSPORT })).toThrow("Settings are wrong: MAIL_HOSTNAME: ");
    const named = { MAIL_TRANSPORT, MAIL_HOSTNAME: "mail.example.com" };
    expect(parseEnv(named)).toMatchObject(named);
  }
});

const aws = "AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

describe("a provider that takes the installation's mail", () => {
  it.each([
    ["ses://eu-central-1", undefined],
    [
      "ses://eu-central-1?configuration-set=mail&topic=arn:aws:sns:eu-central-1:123456789012:mail",
      aws,
    ],
    ["mailgun://mg.example.com?region=eu&connections=20", "key-1"],
    ["resend:", "re_1"],
    ["postmark:?stream=mine&campaign-stream=news", "token"],
    ["sendgrid:?connections=1", "SG.1"],
  ])("is read from %s", (MAIL_TRANSPORT, MAIL_TRANSPORT_KEY) => {
    const settings = { MAIL_TRANSPORT, ...(MAIL_TRANSPORT_KEY && { MAIL_TRANSPORT_KEY }) };
    expect(parseEnv(settings)).toMatchObject(settings);
  });

  it.each([
    ["ses://mars-central-1", "names no region of AWS"],
    ["ses://eu-central-1:8080", "is ses://REGION"],
    ["ses://eu-central-1/topic", "is ses://REGION"],
    ["ses://eu-central-1?topic=arn:aws:sns:us-east-1:123456789012:mail", "topic is no ARN"],
    ["ses://eu-central-1?topic=arn:aws:sns:eu-central-1:123456789012:mail", "configuration-set"],
    ["ses://eu-central-1?tls=off", "parameters of ses are"],
    ["mailgun://localhost", "names no domain"],
    ["mailgun://mg.example.com?region=mars", "region is us or eu"],
    ["resend:?connections=0", "connections is a number from 1 to 50"],
    ["resend://re_secret", "is resend:"],
    ["resend:re_secret", "is resend:"],
    ["mailgun://api:key-secret@mg.example.com", "holds no key"],
    ["postmark:?stream=a%20b", "stream"],
  ])("is refused in a sentence at %s", (MAIL_TRANSPORT, words) => {
    const read = () => parseEnv({ MAIL_TRANSPORT, MAIL_TRANSPORT_KEY: "a" });
    expect(read).toThrow(/^Settings are wrong: MAIL_TRANSPORT: /);
    expect(read).toThrow(words);
    expect(read).not.toThrow("secret");
  });

  it.each([
    ["resend:", {}, "MAIL_TRANSPORT_KEY: is the API key that Resend takes mail for."],
    ["resend:", { KEY: "s3cr 3t" }, "MAIL_TRANSPORT_KEY: is the API key"],
    ["ses://eu-central-1", { KEY: "s3cr3t" }, "MAIL_TRANSPORT_KEY: is ACCESS_KEY_ID:"],
    ["resend:", { KEY: "k", WEBHOOK_SECRET: "s3cr3t" }, "_SECRET: is no signing secret"],
    ["sendgrid:", { KEY: "k", WEBHOOK_SECRET: "s3cr3t" }, "_SECRET: is no verification key"],
    ["postmark:", { KEY: "k", WEBHOOK_SECRET: "s3cr3t" }, "_SECRET: is a password"],
    ["ses://eu-central-1", { WEBHOOK_SECRET: "s3cr3t" }, "_SECRET: is of no use with ses"],
  ])("with wrong secrets is refused without repeating them: %s %j", (transport, secrets, words) => {
    const { KEY: key, WEBHOOK_SECRET: secret } = secrets as Record<string, string>;
    const settings = {
      MAIL_TRANSPORT: transport,
      MAIL_TRANSPORT_KEY: key,
      MAIL_TRANSPORT_WEBHOOK_SECRET: secret,
    };
    expect(() => parseEnv(settings)).toThrow(words);
    expect(() => parseEnv(settings)).not.toThrow("s3cr");
  });
});

it("DATABASE_DIRECT_URL is refused where it could only lead to another database", () => {
  const direct = { DATABASE_DIRECT_URL: "postgres://db.example.com/mail" };
  expect(() => parseEnv(direct)).toThrow("DATABASE_DIRECT_URL: is nothing without DATABASE_URL.");
  expect(parseEnv({ ...direct, DATABASE_URL: "postgres://pooler/mail" })).toMatchObject(direct);
});

describe("sign-in by OpenID Connect", () => {
  const trio = {
    OIDC_ISSUER: "https://id.example.com/realms/acme",
    OIDC_CLIENT_ID: "lettermill",
    OIDC_CLIENT_SECRET: "secret",
  };

  it("takes issuer, client and secret together", () => {
    expect(parseEnv({})).toMatchObject({ OIDC_DOMAINS: [], OIDC_ONLY: false });
    expect(
      parseEnv({ ...trio, OIDC_DOMAINS: "Example.com, a.example", OIDC_ONLY: "1" }),
    ).toMatchObject({
      ...trio,
      OIDC_NAME: "your company account",
      OIDC_DOMAINS: ["example.com", "a.example"],
      OIDC_ONLY: true,
    });
    for (const name of Object.keys(trio)) {
      expect(() => parseEnv({ ...trio, [name]: undefined })).toThrow(
        `Settings are wrong: ${name}: is missing; OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together.`,
      );
    }
  });

  it.each([
    "https://id.example.com/",
    "http://localhost:8080/realms/acme",
    "http://127.0.0.1:9000",
  ])("takes the issuer %s", (OIDC_ISSUER) => {
    expect(parseEnv({ ...trio, OIDC_ISSUER })).toMatchObject({ OIDC_ISSUER });
  });

  it.each([
    "id.example.com",
    "http://id.example.com",
    "javascript:alert(1)",
    "https://user@id.example.com",
    "https://id.example.com/?tenant=1",
    "https://id.example.com/.well-known/openid-configuration",
  ])("refuses the issuer %s", (OIDC_ISSUER) => {
    expect(() => parseEnv({ ...trio, OIDC_ISSUER })).toThrow(
      "Settings are wrong: OIDC_ISSUER: is ",
    );
  });

  it.each([
    [{ ...trio, OIDC_DOMAINS: "@example.com" }, "OIDC_DOMAINS: is a list of mail domains"],
    [{ OIDC_DOMAINS: "example.com" }, "OIDC_DOMAINS: is nothing without OIDC_ISSUER."],
    [{ ...trio, OIDC_ONLY: "1" }, "OIDC_ONLY: needs OIDC_DOMAINS, whose people it is about."],
    [{ ...trio, OIDC_NAME: "x".repeat(41) }, "OIDC_NAME: is longer than 40 characters."],
  ])("refuses %j", (source, sentence) => {
    expect(() => parseEnv(source)).toThrow(`Settings are wrong: ${sentence}`);
  });
});
