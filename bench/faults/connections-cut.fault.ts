import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startDatabaseProxy, type DatabaseProxy } from "@/lib/testing/database-proxy";
import { openGate } from "@/lib/testing/gate";
import { rehearse, unsound, workers } from "./rehearse";
import { sessions } from "./stand";

test("connections to Postgres that are cut, in the middle of commits too, or fall silent, cost no mail and no copy", async () => {
  let proxy: DatabaseProxy | null = null;
  const findings = await rehearse({
    name: "connections to Postgres are cut",
    stand: {
      databaseUrlFor: async (url) => {
        proxy = await startDatabaseProxy(url);
        return proxy.url;
      },
    },
    async strike({ chance, arrived, harm, say }) {
      for (let cut = 0; cut < 6; cut++) {
        await arrived(0.1 + 0.12 * cut + 0.1 * chance.next());
        const messages = chance.below(40);
        await harm(`connections are cut after ${messages} more messages`, async () => {
          proxy?.leaveAfter(messages);
          await sleep(500 + chance.below(2_500));
          proxy?.comeBack();
        });
      }
      await harm("the database's answers are held", async () => {
        const release = proxy?.holdAnswers();
        await sleep(3_000 + chance.below(5_000));
        release?.();
      });
      say("all connections work");
    },
  });
  await (proxy as DatabaseProxy | null)?.stop();
  expect(unsound(findings)).toEqual([]);
});

test("connections to the receiver that are cut cost no mail, and copies only of what was on them", async () => {
  const gates: Awaited<ReturnType<typeof openGate>>[] = [];
  const cuts = 6;
  const findings = await rehearse({
    name: "connections to the receiver are cut",
    allowance: { copies: cuts * workers * sessions },
    stand: {
      receiverPortFor: async (port) => {
        const gate = await openGate(port);
        gates.push(gate);
        return gate.port;
      },
    },
    async strike({ chance, arrived, harm }) {
      for (let cut = 0; cut < cuts; cut++) {
        await arrived(0.1 + 0.12 * cut + 0.1 * chance.next());
        await harm("sessions are cut", async () => {
          for (const gate of gates) gate.shut();
          await sleep(chance.below(3_000));
          for (const gate of gates) gate.open();
        });
      }
    },
  });
  for (const gate of gates) gate.stop();
  expect(unsound(findings)).toEqual([]);
});
