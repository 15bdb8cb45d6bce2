import { Readable } from "node:stream";
import { desc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { auditSentence } from "@/lib/domain/audit/sentences";
import { estimateAudience } from "@/lib/domain/campaigns/audience";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { isAddressBlocked, isContactBlocked } from "@/lib/domain/contacts/blocked";
import { getContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { explainRecipient } from "@/lib/domain/recipients/explain";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { advance } from "@/lib/testing/campaigns";
import { send, storedEmail } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { exportSuppressions } from "./export";
import { importSuppressions } from "./import";
import { addSuppression, getSuppression, liftSuppression, listSuppressions } from "./suppressions";

const database = useTestDatabase();
const { dispatch, mailServer, sender } = useMailServers(database);
const project = async () => (await makeProject(database.db)).ctx;

async function subscriber(ctx: Context, email: string) {
  const { contact } = await upsertContact(ctx, { email, subscribed: true });
  return { id: contact.id, uuid: decodeId("contact", contact.id) ?? "" };
}

async function lastAct(ctx: Context) {
  const [row] = await database.db
    .select({ action: auditLog.action, details: auditLog.details, actorId: auditLog.actorId })
    .from(auditLog)
    .where(eq(auditLog.projectId, ctx.projectId))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return row;
}

describe("a suppressed domain", () => {
  test("keeps mail from each of its addresses in any case, and from no subdomain or look-alike", async () => {
    const ctx = await project();
    const { created, suppression } = await addSuppression(ctx, { email: " @Bücher.Example " });
    expect([created, suppression]).toMatchObject([
      true,
      { email: "@xn--bcher-kva.example", reason: "domain", emailId: null, response: null },
    ]);
    expect((await addSuppression(ctx, { email: "@xn--bcher-kva.example" })).created).toBe(false);
    const blocked = (email: string) =>
      isAddressBlocked(database.db, { projectId: ctx.projectId, email });
    expect(await blocked("Ada@XN--bcher-KVA.example")).toBe(true);
    expect(await blocked("ada@mail.xn--bcher-kva.example")).toBe(false);
    expect(await blocked("ada@not-xn--bcher-kva.example")).toBe(false);
    const other = { projectId: (await project()).projectId, email: "a@xn--bcher-kva.example" };
    expect(await isAddressBlocked(database.db, other)).toBe(false);
    const [member, free] = [
      await subscriber(ctx, "ada@bücher.example"),
      await subscriber(ctx, "ada@free.example"),
    ];
    expect(await isContactBlocked(database.db, member.uuid)).toBe(true);
    expect(await isContactBlocked(database.db, free.uuid)).toBe(false);
    expect((await getContact(ctx, member.id)).state).toBe("domain");
    expect((await getContact(ctx, free.id)).state).toBe("reachable");
  });

  test("ends mail at the accept, and what waited at the claim; others get theirs", async () => {
    const { ctx, domain } = await sender();
    const server = await mailServer();
    const mail = { from: `shop@${domain}`, to: ["a@gone.example", "b@stays.example"] };
    const [waiting = "", stays = ""] = await send(ctx, mail);
    await addSuppression(ctx, { email: "@gone.example" });
    const [refused = ""] = await send(ctx, { ...mail, to: "C@Gone.example" });
    const ended = {
      status: "FAILED",
      waits: false,
      events: [{ name: "suppressed", data: { reason: "domain" } }],
    };
    expect(await storedEmail(database.db, refused)).toMatchObject(ended);
    await dispatch(server.url);
    expect(await storedEmail(database.db, waiting)).toMatchObject(ended);
    expect(await storedEmail(database.db, stays)).toMatchObject({ status: "SENT" });
    expect(server.mails.map(({ to }) => to)).toEqual([["b@stays.example"]]);
    await liftSuppression(ctx, "@gone.example");
    await send(ctx, { ...mail, to: "c@gone.example" });
    await dispatch(server.url);
    expect(server.mails).toHaveLength(2);
  });

  test("beside the address's own suppression ends an email once, with the address's reason", async () => {
    const { ctx, domain } = await sender();
    const to = "a@gone.example";
    const [waiting = ""] = await send(ctx, { from: `shop@${domain}`, to });
    await addSuppression(ctx, { email: "@gone.example" });
    await addSuppression(ctx, { email: to });
    const [refused = ""] = await send(ctx, { from: `shop@${domain}`, to });
    await dispatch((await mailServer()).url);
    for (const id of [waiting, refused]) {
      const { events } = await storedEmail(database.db, id);
      expect(events).toMatchObject([{ name: "suppressed", data: { reason: "manual" } }]);
    }
  });

  test("takes its people out of audiences, counted under its own reason, and says so of each", async () => {
    const ctx = await project();
    await subscriber(ctx, "a@free.example");
    const ada = await subscriber(ctx, "ada@gone.example");
    await subscriber(ctx, "bo@gone.example");
    await addSuppression(ctx, { email: "@gone.example" });
    await addSuppression(ctx, { email: "bo@gone.example" });
    expect(await estimateAudience(ctx, {})).toMatchObject({
      count: 1,
      total: 3,
      excluded: { domain: 1, manual: 1, hard_bounce: 0 },
    });
    const { id } = await createCampaign(ctx, {
      name: "News",
      subject: "News",
      from: "news@sandbox.test",
      body: "<p>Hello</p>",
    });
    await sendCampaign(ctx, id, {});
    await advance(database.db);
    const why = {
      code: "suppressed",
      suppression: "domain",
      reason: "Nothing is sent to the address, because the project suppressed its whole domain.",
    };
    expect(await explainRecipient(ctx, id, ada.id)).toMatchObject({ ...why, emailId: null });
    await liftSuppression(ctx, "@gone.example");
    expect(await explainRecipient(ctx, id, ada.id)).toMatchObject({ ...why, since: null });
  });

  test("is found through each of its addresses, and is lifted by its own name alone", async () => {
    const ctx = await project();
    await addSuppression(ctx, { email: "@gone.example" });
    await addSuppression(ctx, { email: "bo@gone.example" });
    expect(await getSuppression(ctx, "ada@gone.example")).toMatchObject({ email: "@gone.example" });
    expect(await getSuppression(ctx, "bo@gone.example")).toMatchObject({ reason: "manual" });
    const search = async (text: string) =>
      (await listSuppressions(ctx, { limit: 10, search: text })).data.map(({ email }) => email);
    expect(await search("ada@gone.example")).toEqual(["@gone.example"]);
    expect(await search("ada")).toEqual([]);
    expect(
      (await listSuppressions(ctx, { limit: 10, reason: "domain" })).data.map((one) => one.email),
    ).toEqual(["@gone.example"]);
    await expect(liftSuppression(ctx, "ada@gone.example")).rejects.toMatchObject({
      code: "CONFLICT",
      message: "Its whole domain is suppressed. Lift @gone.example instead.",
    });
    await liftSuppression(ctx, "@GONE.example");
    await expect(getSuppression(ctx, "ada@gone.example")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await getSuppression(ctx, "bo@gone.example")).toMatchObject({ reason: "manual" });
  });

  test("is named in the audit log by who suppressed and who lifted it", async () => {
    const ctx = await project();
    const actor = { type: "user", id: "usr_1", name: "Ada" } as const;
    const sentence = (act: Awaited<ReturnType<typeof lastAct>>) =>
      act && auditSentence({ action: act.action, actor, details: act.details }).before;
    await addSuppression(ctx, { email: "@gone.example" });
    const added = await lastAct(ctx);
    expect(sentence(added)).toBe("Ada stopped all mail to everybody at gone.example");
    await liftSuppression(ctx, "@gone.example");
    const lifted = await lastAct(ctx);
    expect(lifted).toMatchObject({ details: { reason: "domain" }, actorId: ctx.actor.id });
    expect(sentence(lifted)).toBe("Ada allowed mail to everybody at gone.example again");
  });

  test("goes out and in as CSV, whatever reason its row names", async () => {
    const [from, to] = [await project(), await project()];
    const file = "email,reason\n@gone.example,hard_bounce\na@x.example,domain\n@nothing,\n@,\n";
    const answer = await importSuppressions(from, Readable.from([Buffer.from(file)]), {
      reason: "complaint",
    });
    expect(answer).toMatchObject({ added: 2, refused: 2 });
    const text = await new Response(await exportSuppressions(from, {})).text();
    await importSuppressions(to, Readable.from([Buffer.from(text)]), { reason: "manual" });
    const rows = (await listSuppressions(to, { limit: 10 })).data;
    expect(rows.map(({ email, reason }) => [email, reason]).toSorted()).toEqual([
      ["@gone.example", "domain"],
      ["a@x.example", "complaint"],
    ]);
    const alone = Readable.from([Buffer.from("@only.example\n")]);
    expect(await importSuppressions(to, alone, { reason: "manual" })).toMatchObject({ added: 1 });
  });

  test.each(["@", "@com", "@gone.example/x", "@a b.example", "@10.0.0.1", "@@gone.example", "x@"])(
    "is not %j",
    async (email) => {
      await expect(addSuppression(await project(), { email })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    },
  );
});

test("a deleted contact takes its own suppression along, and leaves its domain's", async () => {
  const ctx = await project();
  const { id } = await subscriber(ctx, "bo@gone.example");
  await addSuppression(ctx, { email: "@gone.example" });
  await addSuppression(ctx, { email: "bo@gone.example" });
  await deleteContact(ctx, id);
  const left = (await listSuppressions(ctx, { limit: 10 })).data;
  expect(left.map(({ email }) => email)).toEqual(["@gone.example"]);
});
