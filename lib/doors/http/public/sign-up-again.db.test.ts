import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { projects } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { getContact, updateContact } from "@/lib/domain/contacts/contacts";
import { updateForm } from "@/lib/domain/forms/forms";
import { findSubscribers } from "@/lib/domain/lists/subscribers";
import { createTopic, listTopics } from "@/lib/domain/topics/topics";
import { formVisitors, linkIn } from "@/lib/testing/forms";
import { join, makeList } from "@/lib/testing/opt-outs";
import { createTrackingApp } from "./app";

/* People who come back to a form. */

const database = useTestDatabase();
const { confirm, setUp } = formVisitors(createTrackingApp(), database);
let addresses = 0;
/** Of this test alone: what one address gets is counted over all projects. */
let email = "";
beforeEach(() => {
  email = `ada.${++addresses}@example.com`;
});

test("signing up for one list brings nobody back to the others and topics that they left with everything", async () => {
  const { ctx, form, list, fill, mails } = await setUp({ list: true });
  const other = await makeList(ctx, { name: "Daily offers" });
  const [news, offers] = [
    await createTopic(ctx, { name: "News" }),
    await createTopic(ctx, { name: "Offers" }),
  ];
  await updateForm(ctx, form.id, { topicIds: [news.id] });
  await join(ctx, other.id, email);
  await join(ctx, list?.id ?? "", email);
  await updateContact(ctx, email, { unsubscribed: true });
  await fill({ email });
  await confirm(linkIn((await mails()).at(-1)?.text ?? ""));
  const contact = await getContact(ctx, email);
  expect(contact).toMatchObject({ subscribed: true });
  const statuses = (await findSubscribers(ctx, email)).map(({ listId, status }) => [
    listId,
    status,
  ]);
  expect(new Map(statuses as [string, string][])).toEqual(
    new Map([
      [list?.id, "subscribed"],
      [other.id, "unsubscribed"],
    ]),
  );
  const { data } = await listSubscriptionChanges(ctx, contact.id, { limit: 20 });
  expect(data.find((change) => change.list?.id === other.id)).toMatchObject({
    ...{ before: "subscribed", after: "unsubscribed", form: { id: form.id } },
  });
  expect((await listTopics(ctx)).data.map(({ id, departures }) => [id, departures])).toEqual([
    [news.id, 0],
    [offers.id, 1],
  ]);
});

test("a sign-up that could not be taken may be tried again at once, and is then mailed", async () => {
  const { projectId, fill, mails } = await setUp();
  const limit = (monthlyEmailLimit: number | null) =>
    database.db.update(projects).set({ monthlyEmailLimit }).where(eq(projects.id, projectId));
  await limit(0);
  for (let times = 0; times < 4; times++) expect((await fill({ email })).status).toBe(402);
  await limit(null);
  expect((await fill({ email })).status).toBe(303);
  expect((await mails()).map(({ to }) => to)).toEqual([email]);
  await fill({ email });
  expect(await mails()).toHaveLength(1);
});
