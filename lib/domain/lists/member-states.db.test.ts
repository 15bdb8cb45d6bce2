import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { suppressions } from "@/db/schema";
import { updateContact } from "@/lib/domain/contacts/contacts";
import { makeProject } from "@/lib/testing";
import { join, makeList } from "@/lib/testing/opt-outs";
import { newId } from "@/lib/ground/ids/ids";
import { unsubscribe } from "./change-subscribers";
import { subscriberQuery } from "./schema";
import { getSubscriber, listSubscribers } from "./subscribers";

const database = useTestDatabase();

test("a member's state says whether campaigns to the list reach them, or why not", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const open = await makeList(ctx);
  const confirming = await makeList(ctx, { name: "Asked", subscribeConfirmation: true });
  const people = ["reached", "left-list", "left-all", "bounced", "complained", "both"] as const;
  const members = Object.fromEntries(
    await Promise.all(
      people.map(async (name) => [name, await join(ctx, open.id, `${name}@example.com`)] as const),
    ),
  );
  await unsubscribe(ctx, members["left-list"]?.id ?? "");
  await updateContact(ctx, "left-all@example.com", { subscribed: false });
  await updateContact(ctx, "both@example.com", { subscribed: false });
  await database.db.insert(suppressions).values([
    { id: newId(projectId), projectId, email: "Bounced@example.com", reason: "hard_bounce" },
    { id: newId(projectId), projectId, email: "complained@example.com", reason: "complaint" },
    { id: newId(projectId), projectId, email: "both@example.com", reason: "manual" },
  ]);
  const { data } = await listSubscribers(ctx, open.id, subscriberQuery.parse({}));
  expect(Object.fromEntries(data.map(({ email, state }) => [email.split("@")[0], state]))).toEqual({
    reached: "reachable",
    "left-list": "unsubscribed",
    "left-all": "unsubscribed",
    bounced: "hard_bounce",
    complained: "complaint",
    both: "manual",
  });
  const waiting = await join(ctx, confirming.id, "waiting@example.com");
  expect((await getSubscriber(ctx, waiting.id)).state).toBe("unconfirmed");
});
