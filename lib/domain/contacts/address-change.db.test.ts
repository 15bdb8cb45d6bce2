import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { personRequests, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import { subscribe, updateSubscriber } from "@/lib/domain/lists/change-subscribers";
import { getSubscriber } from "@/lib/domain/lists/subscribers";
import { askFor } from "@/lib/domain/person-requests/ask";
import { confirmPersonRequest } from "@/lib/domain/person-requests/confirm";
import { liftSuppression } from "@/lib/domain/suppressions/suppressions";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { personRequestToken } from "@/lib/mail/tracking/tokens";
import { makeProject } from "@/lib/testing";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { listSubscriptionChanges } from "./consent-history";
import { getContact, updateContact } from "./contacts";
import { deleteContact } from "./delete";
import { upsertContact } from "./upsert";

/* An editor, a key or a platform token gives a contact another address: nobody's objection is lost by it. */

const database = useTestDatabase();
const [from, to] = ["ada@example.com", "lovelace@example.com"];

/** Somebody subscribed at `from`, on a list, and the ways to give them another address. */
async function stand() {
  const { ctx, projectId } = await makeProject(database.db);
  const list = await makeList(ctx);
  const member = await join(ctx, list.id, from);
  const ways = {
    contact: (email: string) => updateContact(ctx, member.contactId, { email }),
    subscriber: (email: string) => updateSubscriber(ctx, member.id, { email }),
  };
  return { ctx, projectId, list, member, ways };
}
const eachWay = ["contact", "subscriber"] as const;

const lastChange = async (ctx: Context, id: string) =>
  (await listSubscriptionChanges(ctx, id, { limit: 1 })).data[0];

describe.each(eachWay)("another address, given by the %s", (way) => {
  test("whose owner objected and was deleted makes unsubscribed, and the history says so", async () => {
    const { ctx, member, ways } = await stand();
    await upsertContact(ctx, { email: to, unsubscribed: true });
    await deleteContact(ctx, to);
    await ways[way](to.toUpperCase());
    expect(await getContact(ctx, member.contactId)).toMatchObject({ subscribed: false });
    expect(await lastChange(ctx, member.contactId)).toMatchObject({
      ...{ kind: "subscription", before: "subscribed", after: "unsubscribed", list: null },
    });
  });

  test("of somebody who was deleted without an objection changes no subscription", async () => {
    const { ctx, member, ways } = await stand();
    await upsertContact(ctx, { email: to });
    await deleteContact(ctx, to);
    await ways[way](to);
    expect(await getContact(ctx, member.contactId)).toMatchObject({ subscribed: true });
  });

  test("that was suppressed when its contact was deleted is suppressed again", async () => {
    const { ctx, member, ways } = await stand();
    const { contact } = await upsertContact(ctx, { email: to });
    const mail = await campaignMail(database.db, ctx, { contactId: contact.id, email: to });
    const bounce = { kind: "bounced", hard: true } as const;
    await recordReport(ctx, encodeId("email", mail.emailId), bounce);
    await deleteContact(ctx, to);
    await ways[way](to);
    expect(await getContact(ctx, member.contactId)).toMatchObject({ state: "hard_bounce" });
    const rows = await database.db.select().from(suppressions);
    expect(rows.filter(({ projectId }) => projectId === ctx.projectId)).toMatchObject([
      { email: to, reason: "hard_bounce", source: "restored" },
    ]);
  });

  test("shakes off no unsubscription: who is added at the former one has left", async () => {
    const { ctx, list, ways, member } = await stand();
    await updateContact(ctx, member.contactId, { subscribed: false });
    await ways[way](to);
    await join(ctx, list.id, from);
    expect(await getContact(ctx, from)).toMatchObject({ subscribed: false });
    expect(await getContact(ctx, to)).toMatchObject({ subscribed: false });
  });

  test("leaves behind what bounced at the former one, and no complaint", async () => {
    const { ctx, ways, member } = await stand();
    const asked = await makeList(ctx, { name: "Asked", subscribeConfirmation: true });
    const waiting = await join(ctx, asked.id, from);
    const mail = await campaignMail(database.db, ctx, { ...member, email: from });
    const bounce = { kind: "bounced", hard: true } as const;
    await recordReport(ctx, encodeId("email", mail.emailId), bounce);
    expect((await getSubscriber(ctx, member.id)).status).toBe("bounced");
    await ways[way](to);
    expect((await getSubscriber(ctx, member.id)).status).toBe("subscribed");
    expect((await getSubscriber(ctx, waiting.id)).status).toBe("unconfirmed");
    expect(await getContact(ctx, to)).toMatchObject({ state: "reachable" });

    const complained = await stand();
    const about = await campaignMail(database.db, complained.ctx, {
      ...{ ...complained.member, email: from },
    });
    await recordReport(complained.ctx, encodeId("email", about.emailId), {
      ...{ kind: "complained", type: "abuse" },
    });
    await complained.ways[way](to);
    expect((await getSubscriber(complained.ctx, complained.member.id)).status).toBe("complained");
    expect(await getContact(complained.ctx, to)).toMatchObject({ subscribed: false });
  });

  test("gives the data to nobody who reads mail at the former one", async () => {
    const { ctx, projectId, ways, member } = await stand();
    const mail = await campaignMail(database.db, ctx, { ...member, email: from });
    for (const action of ["download", "erase"] as const) {
      expect(await askFor(database.db, mail.token, { action }, [])).toBe("asked");
    }
    const asked = await database.db
      .select({ id: personRequests.id })
      .from(personRequests)
      .where(eq(personRequests.projectId, projectId));
    expect(asked).toHaveLength(2);
    await ways[way](to);
    const evidence = { ipAddress: "192.0.2.7", userAgent: "Reader/1", text: "?" };
    for (const { id } of asked) {
      expect(await confirmPersonRequest(database.db, personRequestToken(id), evidence)).toBe(
        "stale",
      );
    }
    expect(await getContact(ctx, to)).toMatchObject({ id: member.contactId });
  });

  test("in another case is the same address", async () => {
    const { ctx, ways, member } = await stand();
    const mail = await campaignMail(database.db, ctx, { ...member, email: from });
    const bounce = { kind: "bounced", hard: true } as const;
    await recordReport(ctx, encodeId("email", mail.emailId), bounce);
    await ways[way]("Ada@Example.com");
    expect((await getSubscriber(ctx, member.id)).status).toBe("bounced");
    await liftSuppression(ctx, from);
    expect((await getSubscriber(ctx, member.id)).status).toBe("subscribed");
  });
});

test("a request that gives the address and subscribes says so itself", async () => {
  const { ctx, member } = await stand();
  await upsertContact(ctx, { email: to, unsubscribed: true });
  await deleteContact(ctx, to);
  const changed = await updateContact(ctx, member.contactId, { email: to, subscribed: true });
  expect(changed).toMatchObject({ email: to, subscribed: true });
  await subscribe(ctx, member.id);
  expect(await getContact(ctx, to)).toMatchObject({ subscribed: true });
});

test("two contacts whose addresses are exchanged at once hear that another has them", async () => {
  const { ctx } = await makeProject(database.db);
  for (let turn = 0; turn < 5; turn++) {
    const [a, b] = [`a${turn}@example.com`, `b${turn}@example.com`];
    const [first, second] = [
      (await upsertContact(ctx, { email: a })).contact,
      (await upsertContact(ctx, { email: b })).contact,
    ];
    const answers = await Promise.allSettled([
      updateContact(ctx, first.id, { email: b }),
      updateContact(ctx, second.id, { email: a }),
    ]);
    for (const one of answers) {
      expect(one).toMatchObject({ status: "rejected", reason: { code: "CONFLICT" } });
    }
  }
});
