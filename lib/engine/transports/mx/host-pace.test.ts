import { describe, expect, it } from "vitest";
import type { Envelope, HandOver, Outcome } from "@/lib/mail/transport";
import { smtpError } from "@/lib/testing/delivery";
import { useReceivers } from "@/lib/testing/receivers";
import { HostPace } from "./host-pace";

type Lane = HandOver["lane"];

/** When each of the messages began that a pace let through in `seconds`, if one asks `everyMilliseconds`. */
function begun(
  pace: HostPace,
  seconds: number,
  everyMilliseconds: number,
  lane: Lane = "campaign",
) {
  const times: number[] = [];
  for (let now = 0; now < seconds * 1_000; now += everyMilliseconds) {
    if (pace.tryTake(lane, now)) times.push(now);
  }
  return times;
}

function mostInAMinute(times: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [index, at] of times.entries()) {
    while ((times[first] ?? 0) <= at - 60_000) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

describe("the pace of one receiving host", () => {
  it.each([1, 2, 7, 12, 60, 600, 6_000])("is %i in any minute, and close to that", (perMinute) => {
    const times = begun(new HostPace(perMinute), 300, perMinute > 60 ? 5 : 50);
    expect(mostInAMinute(times)).toBeLessThanOrEqual(perMinute);
    expect(times.length).toBeGreaterThanOrEqual(Math.floor(5 * perMinute * 0.9));
  });

  it("does not save up what was not used", () => {
    const pace = new HostPace(60);
    expect(pace.tryTake("campaign", 0)).toBe(true);
    const times = Array.from({ length: 60 }, () => pace.tryTake("transactional", 3_600_000));
    expect(times.filter(Boolean)).toHaveLength(5);
  });

  it("leaves one to all other mail beside a campaign", () => {
    const pace = new HostPace(60);
    expect(begun(pace, 0.001, 0.0001)).toHaveLength(4);
    expect(pace.tryTake("campaign", 1)).toBe(false);
    expect(pace.tryTake("transactional", 1)).toBe(true);
    expect(pace.tryTake("transactional", 1)).toBe(false);
  });

  it("gives those who wait turns of their own, a campaign's behind each other and not before other mail", () => {
    const pace = new HostPace(6);
    expect(pace.waitSeconds("campaign", 0)).toBe(0);
    expect(pace.tryTake("campaign", 0)).toBe(true);
    const waits = Array.from({ length: 30 }, () => pace.waitSeconds("campaign", 0));
    const apart = 60 / 5.75;
    for (const [index, seconds] of waits.entries()) {
      expect(seconds).toBeCloseTo((index + 1) * apart, 3);
    }
    expect(pace.waitSeconds("transactional", 0)).toBeCloseTo(apart, 3);
  });

  it("is kept when what waits comes a little late for its turn", () => {
    const pace = new HostPace(6);
    const late = Array.from({ length: 20 }, (_, nth) => nth * (60 / 5.75) + (nth % 2) * 2);
    expect(late.every((seconds) => pace.tryTake("campaign", seconds * 1_000))).toBe(true);
  });

  it("counts nothing that did not begin", () => {
    const pace = new HostPace(1);
    expect(pace.tryTake("transactional", 0)).toBe(true);
    pace.giveBack();
    expect(pace.tryTake("transactional", 0)).toBe(true);
    expect(pace.tryTake("transactional", 59_000)).toBe(false);
    expect(pace.tryTake("transactional", 61_000)).toBe(true);
  });
});

describe("mail straight to receivers", () => {
  const { host, mx, transport, dns } = useReceivers();
  const raw = Buffer.from("Subject: x\r\n\r\nx\r\n");
  const to = (address: string): Envelope => ({ from: "b@sender.example", to: address });
  const how = (may = true, lane: Lane = "transactional"): HandOver => ({
    lane,
    mayStart: () => Promise.resolve(may),
  });
  const kinds = (outcomes: readonly Outcome[]) => outcomes.map(({ kind }) => kind);

  it("is given to a host at its pace, whatever domains and sessions it has, and to others beside it", async () => {
    const paced = await host("mx.paced.example", 60, {
      // Each message takes a session of its own.
      onData: (stream, _, callback) => {
        stream.resume();
        stream.on("end", () => callback(smtpError(421, "4.3.2 Goodbye")));
      },
    });
    const free = await host("mx.free.example", 61);
    mx("a.example", "mx.paced.example", "mx.free.example");
    mx("b.example", "mx.paced.example");
    mx("c.example", "mx.free.example");
    const over = transport({ messagesPerMinute: 2 });
    const first = await over.deliver(to("x@a.example"), raw, how());
    expect(first).toMatchObject({ kind: "refused", reply: { code: 421 } });
    // The next host must not get what the first one is spared.
    const second = await over.deliver(to("x@b.example"), raw, how());
    const third = await over.deliver(to("y@a.example"), raw, how());
    expect(kinds([second, third])).toEqual(["later", "later"]);
    expect(second).toMatchObject({ seconds: expect.closeTo(60 / 1.75, 0) });
    expect(over.waitSeconds("z@b.example", "transactional")).toBeGreaterThan(60);
    expect(over.waitSeconds("z@c.example", "transactional")).toBe(0);
    expect(await over.deliver(to("x@c.example"), raw, how())).toMatchObject({ kind: "accepted" });
    expect(paced.mails).toEqual([]);
    expect(free.mails.map(({ to: [address] }) => address)).toEqual(["x@c.example"]);
  });

  it("that is withheld, or finds its host away, takes nobody's turn", async () => {
    const late = await host("mx.late.example", 62);
    dns().addresses("away.example", "127.0.0.63");
    mx("late.example", "away.example", "mx.late.example");
    const over = transport({ messagesPerMinute: 1 });
    const outcomes = [
      await over.deliver(to("x@late.example"), raw, how(false)),
      await over.deliver(to("y@late.example"), raw, how()),
      await over.deliver(to("z@late.example"), raw, how()),
    ];
    expect(kinds(outcomes)).toEqual(["withheld", "accepted", "later"]);
    expect(late.mails).toHaveLength(1);
  });

  it("has no pace unless one is set", async () => {
    const open = await host("mx.open.example", 64);
    mx("open.example", "mx.open.example");
    const over = transport();
    for (let nth = 0; nth < 20; nth++) await over.deliver(to(`p${nth}@open.example`), raw, how());
    expect(open.mails).toHaveLength(20);
  });
});
