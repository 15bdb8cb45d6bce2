import { desc, eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { personRequests } from "@/db/schema";
import type { PreferenceChange } from "@/lib/domain/opt-outs/schema";
import { createTopic } from "@/lib/domain/topics/topics";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { decodeId } from "@/lib/ground/ids/ids";
import { confirmToken, personRequestToken } from "@/lib/mail/tracking/tokens";
import { formVisitors, linkIn } from "@/lib/testing/forms";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { makeProject } from "@/lib/testing";
import { htmlFaults } from "@/lib/testing/valid-html";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();
const email = "ada@example.com";
const visitors = formVisitors(app, database);
afterEach(() => vi.useRealTimers());

/** What a page's form sends when the button of that label is pressed. */
function formOf(html: string, label: string) {
  const forms = [...html.matchAll(/<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/gs)];
  const pressed = forms.filter(([, , inside = ""]) => inside.includes(`>${label}</button>`));
  expect(pressed.map(([, action]) => action)).toHaveLength(1);
  const [[, action = "", inside = ""] = []] = pressed;
  const inputs = inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const fields = [...inputs].map(([, name = "", value = ""]): [string, string] => [
    name,
    value.replaceAll("&amp;", "&"),
  ]);
  return { action, fields: Object.fromEntries(fields) };
}

async function send(path: string, fields: Record<string, string>): Promise<string> {
  const answer = await visitors.post(path, fields);
  expect(answer.status).toBe(303);
  return answer.headers.get("location") ?? "";
}
const read = async (path: string) => (await visitors.ask(path)).text();

/** Presses a button, and reads the page that it leads to. */
async function press(html: string, label: string): Promise<string> {
  const { action, fields } = formOf(html, label);
  return read(await send(action, fields));
}

/** All that is kept of what somebody chose, but when they chose it. */
async function stateOf(projectId: string): Promise<unknown> {
  const [row] = await database.db.execute(sql`
    select
      (select jsonb_agg(to_jsonb(c) - 'updated_at' - 'paused_until'
        || jsonb_build_object('paused_until', date_trunc('milliseconds', c.paused_until)))
        from contacts c where c.project_id = ${projectId}) as contacts,
      (select jsonb_agg(jsonb_build_array(s.list_id, s.status, s.fields, s.source) order by s.list_id)
        from subscribers s where s.project_id = ${projectId}) as subscribers,
      (select jsonb_agg(d.topic_id order by d.topic_id)
        from topic_departures d where d.project_id = ${projectId}) as topics`);
  return row;
}

/** The page behind the link of the mail that asked last. */
async function requestPath(projectId: string): Promise<string> {
  const [row] = await database.db
    .select({ id: personRequests.id })
    .from(personRequests)
    .where(eq(personRequests.projectId, projectId))
    .orderBy(desc(personRequests.id));
  return `/request/${personRequestToken(row?.id ?? "")}`;
}

async function reader() {
  const { ctx, projectId } = await makeProject(database.db, { name: "Acme" });
  await upsertContact(ctx, { email, firstName: "Ada", lastName: "King & Lovelace" });
  const list = await makeList(ctx);
  const topic = await createTopic(ctx, { name: "Events" });
  const member = await join(ctx, list.id, email);
  const mail = await campaignMail(database.db, ctx, { ...member, email, listId: list.id });
  const post = `/t/preferences/${mail.token}`;
  return { ctx, projectId, list, topic, member, mail, post };
}
type Reader = Awaited<ReturnType<typeof reader>>;

interface Case {
  /** What was chosen before. */
  before?: (reader: Reader) => Record<string, string>;
  fields?: (reader: Reader) => Record<string, string>;
}
/** Every choice there is: one more does not compile until it stands here. */
const cases: Record<PreferenceChange["action"], Case[]> = {
  leave: [{ fields: ({ list }) => ({ list: list.id }) }],
  join: [
    {
      before: ({ list }) => ({ action: "leave", list: list.id }),
      fields: ({ list }) => ({ list: list.id }),
    },
  ],
  "leave-topic": [{ fields: ({ topic }) => ({ topic: topic.id }) }],
  "join-topic": [
    {
      before: ({ topic }) => ({ action: "leave-topic", topic: topic.id }),
      fields: ({ topic }) => ({ topic: topic.id }),
    },
  ],
  "leave-all": [{ fields: () => ({ reason: "too_often", comment: "Every day." }) }],
  return: [{ before: () => ({ action: "leave-all" }) }],
  pause: [
    { fields: () => ({ days: "30" }) },
    { before: () => ({ action: "pause", days: "90" }), fields: () => ({ days: "30" }) },
  ],
  resume: [{ before: () => ({ action: "pause", days: "90" }) }],
  weekly: [{}],
  normal: [{ before: () => ({ action: "weekly" }) }],
  name: [{ fields: () => ({ firstName: "Augusta", lastName: "" }) }],
};
const all = Object.entries(cases).flatMap(([action, some]) =>
  some.map((one, index) => ({ ...one, action, name: `${action} ${index + 1}` })),
);

describe("everything done on the preference page can be undone on the page that confirms it", () => {
  test.each(all)("$name", async ({ action, before, fields }) => {
    const someone = await reader();
    const { projectId, post } = someone;
    if (before) await send(post, before(someone));
    const start = await stateOf(projectId);
    const where = await send(post, { action, ...fields?.(someone) });
    expect(where).not.toMatch(/Ada|King|Augusta/);
    const page = await read(where);
    expect(await htmlFaults(page)).toEqual([]);
    const changed = await stateOf(projectId);
    expect(changed).not.toEqual(start);
    const undone = await press(page, "Undo");
    expect(await stateOf(projectId)).toEqual(start);
    // Which was a choice, too.
    await press(undone, "Undo");
    expect(await stateOf(projectId)).toEqual(changed);
  });

  test("a choice that changes nothing offers nothing to undo", async () => {
    const { post } = await reader();
    await send(post, { action: "weekly" });
    const page = await read(await send(post, { action: "weekly" }));
    expect(page).toContain("One newsletter a week at most.");
    expect(page).not.toContain(">Undo</button>");
  });

  test("the way back is the person's own, cannot be edited, and is gone the next day", async () => {
    const { post, projectId } = await reader();
    const { fields } = formOf(await read(await send(post, { action: "weekly" })), "Undo");
    const other = await reader();
    const changed = await stateOf(projectId);
    const undo = fields["undo"] ?? "";
    const tries: [string, Record<string, string>][] = [
      [other.post, fields],
      [post, { action: "undo", undo: `${undo.slice(0, -2)}AA` }],
      [post, { action: "undo" }],
    ];
    for (const [path, posted] of tries) {
      expect((await visitors.post(path, posted)).status).toBe(400);
    }
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 25 * 3_600_000 });
    expect((await visitors.post(post, fields)).status).toBe(400);
    expect(await stateOf(projectId)).toEqual(changed);
  });
});

describe("so can", () => {
  test("a mail program's one click, on the page of its address", async () => {
    const { projectId, mail } = await reader();
    const start = await stateOf(projectId);
    expect((await visitors.post(`/t/u/${mail.token}`, {})).status).toBe(200);
    expect(await stateOf(projectId)).not.toEqual(start);
    const there = await visitors.ask(`/t/u/${mail.token}`);
    await press(await read(there.headers.get("location") ?? ""), "Subscribe again");
    expect(await stateOf(projectId)).toEqual(start);
  });

  test("a change of address, on the page that made it", async () => {
    const { projectId, post } = await reader();
    const start = await stateOf(projectId);
    await send(post, { action: "address", email: "lovelace@example.com" });
    const page = await read(await requestPath(projectId));
    const confirmed = await press(page, "Confirm");
    expect(await stateOf(projectId)).not.toEqual(start);
    await press(confirmed, "Change it back");
    expect(await stateOf(projectId)).toEqual(start);
  });

  test("nothing of an erasure, which says so first; asking for it has changed nothing", async () => {
    const { projectId, post } = await reader();
    const start = await stateOf(projectId);
    for (const action of ["download", "erase"]) await send(post, { action });
    expect(await stateOf(projectId)).toEqual(start);
    const page = await read(await requestPath(projectId));
    expect(page).toContain("This cannot be undone.");
    await press(page, "Erase my data for good");
    expect(await stateOf(projectId)).toEqual({ contacts: null, subscribers: null, topics: null });
  });

  test("confirming a list, and whoever takes it back is told that they have left", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const list = await makeList(ctx, { subscribeConfirmation: true });
    const member = await join(ctx, list.id, email);
    const confirm = `/confirm/${confirmToken(decodeId("subscriber", member.id) ?? "")}`;
    const confirmed = await press(await read(confirm), "Confirm");
    await press(confirmed, "Unsubscribe from News");
    // Nothing is sent, as before; that they were asked once more stays known.
    expect(await stateOf(projectId)).toMatchObject({
      subscribers: [[expect.anything(), "unsubscribed", expect.anything(), "api"]],
    });
    expect(await read(confirm)).toContain("you have left that list since");
  });

  test.each([true, false])("confirming a form, of a list: %s", async (list) => {
    const { projectId, fill, mails } = await visitors.setUp({ list });
    await fill({ email });
    const link = new URL(linkIn((await mails())[0]?.text ?? "")).pathname;
    const confirmed = await press(await read(link), "Confirm");
    await press(confirmed, `Unsubscribe from ${list ? "Weekly" : "Acme"}`);
    expect(await stateOf(projectId)).toMatchObject(
      list
        ? { subscribers: [[expect.anything(), "unsubscribed", expect.anything(), "form"]] }
        : { contacts: [{ consent: "unsubscribed" }] },
    );
    const again = await read(link);
    expect(again).toContain("you have left that list since");
    expect(await htmlFaults(again)).toEqual([]);
  });
});
