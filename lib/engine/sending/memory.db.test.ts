import { expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { MessageContents } from "@/lib/mail/content/message-contents";
import { send } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { claimEmails } from "./claim";
import { deliverEmail, type Delivery } from "./deliver";

const database = useTestDatabase();
const { sender } = useMailServers(database);

/** Delivers an email to the captured mailbox; notes what it asks of memory, and its renderings. */
async function delivery(body: string, room: (bytes: number) => boolean) {
  const { ctx, domain } = await sender();
  await send({ ...ctx, testMode: true }, { from: `shop@${domain}`, body });
  const { emails } = await claimEmails(database.db, { limit: 10, leaseSeconds: 60 });
  const [email] = emails;
  if (!email) throw new Error("Nothing was claimed.");
  const steps: string[] = [];
  const asked: number[] = [];
  const memory: Delivery["memory"] = {
    hold: (bytes) => {
      steps.push("hold");
      asked.push(bytes);
      return Promise.resolve();
    },
    tryHold: (bytes) => {
      steps.push("try");
      asked.push(bytes);
      return room(bytes);
    },
  };
  const result = await deliverEmail(email, {
    ...{ contents: new MessageContents(database.db), transport: null, lane: "transactional" },
    connection: () => Promise.resolve(null),
    mayStart: () => Promise.resolve(true),
    whileRendering: (draft) => {
      steps.push("render");
      return draft;
    },
    memory,
    patient: false,
  });
  return { result, steps, asked };
}

it("an email's memory is held before it is rendered", async () => {
  const { steps, result } = await delivery("<p>Hello</p>", () => true);
  expect(steps).toEqual(["hold", "render", "try"]);
  expect(result).toMatchObject({ status: "DELIVERED" });
});

it("one that turns out larger than there is room for is dropped, and made again in its turn", async () => {
  const body = `{% for i in (1..20000) %}<p>Hello there</p>{% endfor %}`;
  let room = false;
  const { steps, asked, result } = await delivery(body, () => {
    const now = room;
    room = true;
    return now;
  });
  expect(steps).toEqual(["hold", "render", "try", "hold", "render", "try"]);
  const [before = 0, needed = 0, held = 0] = asked;
  expect(before).toBeLessThan(10_000);
  expect(needed).toBeGreaterThan(1_000_000);
  expect(held).toBe(needed);
  expect(result).toMatchObject({ status: "DELIVERED" });
});
