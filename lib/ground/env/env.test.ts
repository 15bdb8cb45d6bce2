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
