import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getSubscriber } from "@/lib/domain/lists/subscribers";
import { subscribe } from "@/lib/domain/lists/change-subscribers";
import { changePreferences } from "@/lib/domain/opt-outs/change-preferences";
import { createTopic } from "@/lib/domain/topics/topics";
import { makeProject } from "@/lib/testing";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { recordReported } from "./record";

const database = useTestDatabase();

test("a provider's report that somebody unsubscribed counts after they left a topic by the same mail, and once", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const list = await makeList(ctx);
  const topic = await createTopic(ctx, { name: "Offers" });
  const member = await join(ctx, list.id, "ada@example.com");
  const { emailId, token } = await campaignMail(database.db, ctx, { ...member, listId: list.id });
  const status = async () => (await getSubscriber(ctx, member.id)).status;
  const report = () =>
    recordReported({ db: database.db, projectId, label: "Postmark" }, emailId, {
      ...{ names: [], report: { kind: "unsubscribed" }, words: null },
    });
  await changePreferences(database.db, token, { action: "leave-topic", topic: topic.id });
  expect(await status()).toBe("subscribed");
  await report();
  expect(await status()).toBe("unsubscribed");
  await subscribe(ctx, member.id);
  await report();
  expect(await status()).toBe("subscribed");
});
