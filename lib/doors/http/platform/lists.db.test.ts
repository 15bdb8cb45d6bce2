import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { cancelCampaign, scheduleCampaign } from "@/lib/domain/campaigns/transitions";
import { getContact } from "@/lib/domain/contacts/contacts";
import { addFigureDeltas } from "@/lib/testing/figures";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { platformClient, platformToken } from "@/lib/testing/platform";

const database = useTestDatabase();
let project: TestProject;
let ask: ReturnType<typeof platformClient>;

beforeAll(async () => {
  project = await makeProject(database.db);
  ask = platformClient(await platformToken(project));
});

const sender = { name: "News", from_email: "news@sandbox.test" };
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string;
const text = expect.any(String) as string;

async function makeList(more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await ask("POST", "/lists", { ...sender, ...more });
  return (body as { list_uid: string }).list_uid;
}
const detail = async (uid: string) =>
  (await ask("GET", `/lists/${uid}`)).body as Record<"list" | "contact" | "statistics", unknown>;

describe("Mailing list (create body)", () => {
  const settings = async (uid: string) => {
    const [row] = await database.db.execute(sql`
      select subscribe_confirmation as confirm, send_welcome_email as welcome,
        unsubscribe_notification as notify
      from lists where id = ${decodeId("list", uid)}`);
    return row;
  };

  test.each([
    ["name", { name: " Letters " }, { name: "Letters" }],
    ["from_email", { from_email: "Ada@sandbox.test" }, { from_email: "Ada@sandbox.test" }],
    ["from_name", { from_name: "Ada" }, { from_name: "Ada" }],
    ["default_subject", { default_subject: "Hi" }, { default_subject: "Hi" }],
  ])("%s is kept", async (_field, given, kept) => {
    expect((await detail(await makeList(given))).list).toMatchObject(kept);
  });

  test("contact is kept whole, its country_id by digits or letters", async () => {
    const contact = {
      company: "Example Ltd",
      state: "Berlin",
      address_1: "1 High Street",
      address_2: "Floor 2",
      city: "Berlin",
      zip: "10115",
      email: "office@example.com",
      url: "https://example.com",
      phone: "+49 30 1",
    };
    for (const id of ["276", "de", 276]) {
      const uid = await makeList({ contact: { ...contact, country_id: id } });
      expect((await detail(uid)).contact).toEqual({ ...contact, country: "Germany" });
    }
  });

  test.each([
    ["subscribe_confirmation", "confirm"],
    ["send_welcome_email", "welcome"],
    ["unsubscribe_notification", "notify"],
  ])('%s is "0" or "1", or what JSON has for it', async (field, column) => {
    const off = { confirm: false, welcome: false, notify: false };
    for (const value of ["1", 1, true, "true"]) {
      expect(await settings(await makeList({ [field]: value }))).toEqual({
        ...off,
        [column]: true,
      });
    }
    for (const value of ["0", 0, false, undefined]) {
      expect(await settings(await makeList({ [field]: value }))).toEqual(off);
    }
    expect((await ask("POST", "/lists", { ...sender, [field]: "2" })).status).toBe(422);
  });

  test("what is wrong is named in the caller's words", async () => {
    const answer = await ask("POST", "/lists", { name: "", from_email: "x", from_name: "a\r\nb" });
    expect(Object.keys((answer.body as { errors: object }).errors).sort()).toEqual([
      "from_email",
      "from_name",
      "name",
    ]);
  });
});

describe("Endpoints", () => {
  test("POST /lists: {status 1/0, message, list_uid}", async () => {
    const { body } = await ask("POST", "/lists", sender);
    expect(body).toEqual({
      status: 1,
      message: "List was successfully created",
      list_uid: expect.stringMatching(/^lst_\w{26}$/) as string,
    });
    expect((await ask("POST", "/lists", {})).body).toMatchObject({ status: 0 });
  });

  test("GET /lists: array of list summaries, beyond a hundred too, of this project alone", async () => {
    const own = await makeProject(database.db);
    const client = platformClient(await platformToken(own));
    expect((await client("GET", "/lists")).body).toEqual([]);
    for (let nth = 0; nth < 101; nth++) await client("POST", "/lists", sender);
    const lists = (await client("GET", "/lists")).body as Record<string, unknown>[];
    expect(lists).toHaveLength(101);
    expect(lists[0]).toEqual({
      id: expect.any(Number) as number,
      uid: text,
      name: "News",
      default_subject: "",
      from_email: "news@sandbox.test",
      from_name: "",
      status: null,
      created_at: time,
      updated_at: time,
    });
    expect(new Set(lists.map(({ id }) => id)).size).toBe(101);
  });

  test("GET /lists/{uid}: list detail {list, contact, statistics} with the default fields", async () => {
    const uid = await makeList({ remind_message: "You asked for it" });
    const { list, statistics } = await detail(uid);
    const field = { type: "text", default_value: null, visible: true };
    expect(list).toEqual({
      uid,
      name: "News",
      default_subject: "",
      from_email: "news@sandbox.test",
      from_name: "",
      remind_message: "You asked for it",
      confirmation_template_uid: null,
      welcome_template_uid: null,
      status: null,
      created_at: time,
      updated_at: time,
      fields: [
        { ...field, key: "EMAIL", label: "Email", tag: "EMAIL", required: true },
        { ...field, key: "FIRST_NAME", label: "First name", tag: "FIRST_NAME", required: false },
        { ...field, key: "LAST_NAME", label: "Last name", tag: "LAST_NAME", required: false },
      ],
    });
    expect(statistics).toEqual({
      subscriber_count: 0,
      open_uniq_rate: 0,
      click_rate: 0,
      subscribe_rate: 0,
      unsubscribe_rate: 0,
      unsubscribe_count: 0,
      unconfirmed_count: 0,
    });
  });

  test("the statistics are of its members and of campaigns to it", async () => {
    const uid = await makeList();
    const members: string[] = [];
    for (const name of ["a", "b", "c", "d"]) {
      const { body } = await ask("POST", "/subscribers", {
        list_uid: uid,
        EMAIL: `${name}@sandbox.test`,
      });
      members.push((body as { subscriber_uid: string }).subscriber_uid);
    }
    await ask("PATCH", `/subscribers/${members[0] ?? ""}/unsubscribe`);
    await database.db.execute(sql`
      update subscribers set status = 'unconfirmed' where id = ${decodeId("subscriber", members[1] ?? "")}`);
    const campaign = await createCampaign(project.ctx, { incomplete: true, listId: uid });
    const otherCampaign = await createCampaign(project.ctx, { incomplete: true });
    for (const [id, delivered] of [
      [campaign.id, 8],
      [otherCampaign.id, 100],
    ] as const) {
      await addFigureDeltas(database.db, [
        {
          projectId: project.projectId,
          campaignId: decodeId("campaign", id),
          delivered,
          opened: 6,
          clicked: 2,
        },
      ]);
    }
    expect((await detail(uid)).statistics).toEqual({
      subscriber_count: 4,
      open_uniq_rate: 0.75,
      click_rate: 0.25,
      subscribe_rate: 0.5,
      unsubscribe_rate: 0.25,
      unsubscribe_count: 1,
      unconfirmed_count: 1,
    });
  });

  test("POST /lists/{uid}/add-field: {status, message, field}", async () => {
    const uid = await makeList();
    const { body } = await ask("POST", `/lists/${uid}/add-field`, {
      type: "text",
      label: "Company",
      tag: "company",
    });
    expect(body).toEqual({
      status: 1,
      message: "List's field was created",
      field: {
        key: "COMPANY",
        label: "Company",
        type: "text",
        tag: "COMPANY",
        default_value: null,
        visible: true,
        required: false,
        mail_list_id: expect.any(Number) as number,
        uid: expect.stringMatching(/^fld_\w{26}$/) as string,
        id: (body as { field: { uid: string } }).field.uid,
        created_at: time,
        updated_at: time,
      },
    });
    const choice = {
      type: "dropdown",
      label: "Size",
      tag: "SIZE",
      options: "S, M",
      default_value: "M",
    };
    expect((await ask("POST", `/lists/${uid}/add-field`, choice)).body).toMatchObject({
      field: { default_value: "M" },
    });
    expect(((await detail(uid)).list as { fields: unknown[] }).fields).toHaveLength(5);
  });

  test("add-field takes a dropdown without options, which holds any text until it has some", async () => {
    const uid = await makeList();
    const field = { type: "dropdown", label: "Size", tag: "SIZE" };
    const added = await ask("POST", `/lists/${uid}/add-field`, field);
    expect([added.status, added.body]).toMatchObject([200, { status: 1, field }]);
    const person = { list_uid: uid, EMAIL: "sized@sandbox.test", SIZE: "whatever" };
    const joined = await ask("POST", "/subscribers", person);
    expect(joined.status).toBe(200);
    const { subscriber_uid: member } = joined.body as { subscriber_uid: string };
    const { body } = await ask("GET", `/subscribers/${member}`);
    expect(body).toMatchObject({ subscriber: { SIZE: "whatever" } });
  });

  test("add-field refuses a field beyond the thousandth", async () => {
    const uid = await makeList();
    await database.db.execute(sql`
      insert into list_fields (id, project_id, list_id, tag, label, type, position)
      select new_id(project_id), project_id, id, 'T' || n, 'Text', 'text', 2 + n
      from lists, generate_series(1, 996) n where id = ${decodeId("list", uid) ?? ""}`);
    const add = (tag: string) =>
      ask("POST", `/lists/${uid}/add-field`, { type: "text", label: tag, tag });
    expect((await add("LAST")).status).toBe(200);
    const answer = await add("BEYOND");
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { errors: { tag: ["would be one more than the 1000 fields that a list can have"] } },
    ]);
  });

  test.each([
    ["an unknown type", { type: "colour" }, "type"],
    ["a repeated tag", { tag: "email" }, "tag"],
    ["a tag that is no name", { tag: "1 x" }, "tag"],
    ["no label", { label: "" }, "label"],
    ["a default that is not of the type", { type: "number", default_value: "old" }, "NEW"],
  ])("add-field refuses %s", async (_what, given, field) => {
    const uid = await makeList();
    const body = { type: "text", label: "New", tag: "NEW", ...given };
    const answer = await ask("POST", `/lists/${uid}/add-field`, body);
    expect(answer.status).toBe(422);
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field]);
  });

  test("DELETE /lists/{uid}: memberships go, contacts stay, and it waits for campaigns to it", async () => {
    const uid = await makeList();
    await ask("POST", "/subscribers", { list_uid: uid, EMAIL: "stays@sandbox.test" });
    const campaign = await createCampaign(project.ctx, {
      name: "N",
      subject: "N",
      from: "news@sandbox.test",
      body: "<p>N</p>",
      listId: uid,
    });
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    await scheduleCampaign(project.ctx, campaign.id, { scheduledAt });
    const kept = await ask("DELETE", `/lists/${uid}`);
    expect([kept.status, kept.body]).toMatchObject([409, { status: 0 }]);
    await cancelCampaign(project.ctx, campaign.id);
    expect((await ask("DELETE", `/lists/${uid}`)).body).toEqual({ status: 1, message: "Deleted" });
    expect((await ask("GET", `/lists/${uid}`)).status).toBe(404);
    expect((await ask("GET", "/subscribers/email/stays@sandbox.test")).body).toEqual({
      subscribers: [],
    });
    expect((await getContact(project.ctx, "stays@sandbox.test")).subscribed).toBe(true);
    expect((await ask("GET", `/campaigns/${campaign.id}`)).body).toMatchObject({
      campaign: { list: null, status: "cancelled" },
    });
  });
});
