import { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ByteBudget } from "@/lib/ground/byte-budget";
import { BytePace } from "@/lib/ground/byte-pace";
import { cpuMilliseconds } from "@/lib/testing/cpu-time";
import { attachmentsBodyLimit, checkStorable, defaultBodyLimit, parseJson, readBody } from "./body";
import { BodyRoom } from "./intake";

const streamed = (chunks: AsyncIterable<Uint8Array>) =>
  new Request("http://localhost", {
    method: "POST",
    body: ReadableStream.from(chunks),
    duplex: "half",
  } as RequestInit);

describe("reading", () => {
  test.each([defaultBodyLimit, attachmentsBodyLimit])(
    "stops at the first chunk beyond %d bytes, not at the end",
    async (limit) => {
      let read = 0;
      async function* endless() {
        for (;;) {
          read += 1024 * 1024;
          yield new Uint8Array(1024 * 1024);
        }
      }
      await expect(readBody(streamed(endless()), undefined, limit)).rejects.toMatchObject({
        code: "PAYLOAD_TOO_LARGE",
      });
      expect(read).toBeLessThan(limit + 4 * 1024 * 1024);
    },
  );

  test("a body that breaks off is the client's fault", async () => {
    async function* broken() {
      yield new Uint8Array(3);
      throw new Error("aborted");
    }
    await expect(readBody(streamed(broken()))).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("a declared size beyond the limit is refused before anything is read", async () => {
    const request = new Request("http://localhost", {
      method: "POST",
      headers: { "content-length": String(defaultBodyLimit + 1) },
      body: "{}",
    });
    await expect(readBody(request)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(request.bodyUsed).toBe(false);
  });
});

describe("a body that is there before it is read", () => {
  const kilobyte = 1024;
  const intake = () => ({
    room: new ByteBudget({
      capacity: 1024 * kilobyte,
      smallCapacity: 64 * kilobyte,
      largestSmall: 256 * kilobyte,
    }),
    pace: new BytePace({ perSecond: 1024 * kilobyte, burst: 1024 * kilobyte }),
  });
  const whole = () => {
    const stream = new Readable({ read: () => {} });
    stream.push(Buffer.alloc(32 * kilobyte));
    stream.push(null);
    return { incoming: stream } as never;
  };
  const request = () => new Request("http://localhost", { method: "POST" });

  test("waits for room like one that arrives later", async () => {
    const ours = intake();
    const others = ours.room.tryTake("other", 60 * kilobyte);
    const room = new BodyRoom(ours, "project", defaultBodyLimit);
    let isRead = false;
    const reading = readBody(request(), whole(), defaultBodyLimit, room).then((body) => {
      isRead = true;
      return body;
    });
    await sleep(50);
    expect(isRead).toBe(false);
    others?.release();
    expect((await reading).length).toBe(32 * kilobyte);
    room.release();
  });

  test("is refused when none comes", async () => {
    const ours = intake();
    ours.room.tryTake("other", 60 * kilobyte);
    const room = new BodyRoom(ours, "project", defaultBodyLimit);
    await expect(readBody(request(), whole(), defaultBodyLimit, room)).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
    room.release();
  }, 15_000);
});

describe("JSON", () => {
  test.each([
    ["", "empty"],
    [" \n", "empty"],
    ["{", "not valid JSON"],
    ['{"a":1}x', "not valid JSON"],
    ['{"a":"\\u0000"}', "a: must not contain NUL"],
    ['{"a\\u0000":1}', "must not contain NUL"],
    ['{"a":["\\udc00"]}', "a[0]: must not contain lone surrogates"],
    ['{"a":{"__proto__":1}}', "a: must not have a key __proto__"],
    ['{"a":[1,12345678901234567890]}', "a[1]: is too large for a number: send it as text"],
    ['{"a":-9007199254740992}', "a: is too large for a number: send it as text"],
    ['{"a":1e999}', "a: is too large for a number: send it as text"],
    [`${"[".repeat(33)}${"]".repeat(33)}`, "is nested deeper than 32 levels"],
  ])("%j is refused", (text, message) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(message);
  });

  test("100,000 levels are refused like 33, not by the stack", () => {
    const text = "[".repeat(100_000) + "]".repeat(100_000);
    expect(() => parseJson(Buffer.from(text))).toThrow(/nested deeper|not valid JSON/);
  });

  test("an error does not repeat what was sent", () => {
    expect(() => parseJson(Buffer.from('{"password": hunter2}'))).toThrow(/^(?!.*hunter2)/);
  });

  test("a million values are taken, more are refused before they are parsed", () => {
    const list = (count: number) => Buffer.from(`[${"0,".repeat(count - 1)}0]`);
    expect(parseJson(list(1_000_000))).toHaveLength(1_000_000);
    const tooMany = list(20_000_000);
    const cost = cpuMilliseconds(() => {
      expect(() => parseJson(tooMany)).toThrow("more than 1000000 values");
    });
    expect(cost).toBeLessThan(500);
  });

  test("commas and brackets in long texts are no values", () => {
    const texts = [",[{".repeat(700_000), '\\",'.repeat(700_000), "\\".repeat(700_000)];
    expect(parseJson(Buffer.from(JSON.stringify({ texts })))).toEqual({ texts });
  });

  test("whatever is of 32 levels and well-formed passes", () => {
    const text = `${"[".repeat(32)}"ä😀"${"]".repeat(32)}`;
    expect(() => checkStorable(parseJson(Buffer.from(text)))).not.toThrow();
  });
});
