import { expect, test } from "vitest";
import { isLoopback } from "./loopback";

test.each([
  "localhost",
  "LocalHost",
  "mail.localhost",
  "127.0.0.1",
  "127.8.8.8",
  "::1",
  "[::1]",
  "::ffff:127.0.0.1",
])("%s is this machine's own", (host) => expect(isLoopback(host)).toBe(true));

test.each([
  "",
  "localhost.example.com",
  "notlocalhost",
  "127.0.0.1.example.com",
  "127.1.2",
  "128.0.0.1",
  "::2",
  "::ffff:128.0.0.1",
  "[127.0.0.1",
])("%j is not", (host) => expect(isLoopback(host)).toBe(false));
