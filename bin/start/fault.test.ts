import { createServer } from "node:net";
import { expect, test } from "vitest";
import { addressOf, databaseFault, fileFault, sentenceOf } from "./fault";
import { usablePort } from "./ports";

const url = "postgres://owner:hunter2@db.example.com:6432/mill";

test("a database's address is told without user and password", () => {
  expect(addressOf(url)).toBe("db.example.com:6432/mill");
  expect(addressOf("postgres:///mill?host=/var/run/postgresql")).toBe("/var/run/postgresql/mill");
});

test.each([
  [{ code: "ECONNREFUSED" }, "nothing listens there"],
  [{ cause: { code: "28P01", severity: "FATAL" } }, "it refuses the user or the password"],
  [{ errors: [{ code: "ECONNREFUSED" }] }, "nothing listens there"],
])("an unreachable database is one sentence without the password: %j", (error, reason) => {
  const fault = databaseFault(error, url);
  expect(fault?.message).toBe(
    `The database at db.example.com:6432/mill (DATABASE_URL) cannot be used: ${reason}.`,
  );
});

test("an error of ours is not passed off as the operator's", () => {
  expect(databaseFault(new TypeError("x is not a function"), url)).toBeNull();
  expect(sentenceOf(new TypeError("x is not a function"))).toBeNull();
});

test("a folder that cannot be written is one sentence", () => {
  const error = Object.assign(new Error("EACCES: permission denied, mkdir"), { code: "EACCES" });
  expect(fileFault("DATA_DIR /x cannot be written", error).message).toBe(
    "DATA_DIR /x cannot be written: permission denied.",
  );
});

test("a taken port is one sentence that names the setting, and 0 gives a free port", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  await expect(usablePort(port, "127.0.0.1", "PORT")).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is taken by another program: stop it, or set PORT to a free port.`,
  );
  await new Promise((resolve) => server.close(resolve));
  expect(await usablePort(port, "127.0.0.1", "PORT")).toBe(port);
  expect(await usablePort(0, "127.0.0.1", "PORT")).toBeGreaterThan(0);
});
