import { expect, test } from "vitest";
import { until } from "@/lib/testing/until";
import { rehearse, unsound } from "./rehearse";

test("Postgres killed three times in a campaign costs no mail, no copy and no person's consent", async () => {
  const findings = await rehearse({
    name: "Postgres is killed",
    async strike({ stand, chance, arrived, harm }) {
      for (const at of [0.15, 0.4, 0.65]) {
        await arrived(at + 0.2 * chance.next());
        await harm("Postgres is killed", async () => {
          const killed = stand.database.pid;
          if (killed !== null) process.kill(killed, "SIGKILL");
          await until(() => stand.database.pid !== null && stand.database.pid !== killed, {
            what: "Postgres is back",
            seconds: 60,
          });
        });
      }
    },
  });
  expect(unsound(findings)).toEqual([]);
});
