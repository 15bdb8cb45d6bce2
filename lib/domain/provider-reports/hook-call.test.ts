import { createHmac } from "node:crypto";
import { expect, test, vi } from "vitest";
import { mailgunHook } from "./mailgun";
import { HookCall } from "./provider-report";

test("a call's body is read once, by what proves it and by what takes it", () => {
  const [timestamp, token] = ["1700000000", "0123456789abcdef"];
  const signature = createHmac("sha256", "key").update(timestamp).update(token).digest("hex");
  const body = Buffer.from(JSON.stringify({ signature: { timestamp, token, signature } }));
  const call = new HookCall(new Headers(), body);
  const parse = vi.spyOn(JSON, "parse");
  try {
    expect(mailgunHook.proves(call, "key", 1_700_000_010)).toBe(true);
    expect(mailgunHook.nonce?.(call.json())).toBe(token);
    expect(parse).toHaveBeenCalledTimes(1);
  } finally {
    parse.mockRestore();
  }
});

test("a body that is no JSON proves nothing, and cannot be taken", () => {
  const call = new HookCall(new Headers(), Buffer.from("no json"));
  expect(mailgunHook.proves(call, "key", 1_700_000_010)).toBe(false);
  expect(() => call.json()).toThrow("not JSON");
});
