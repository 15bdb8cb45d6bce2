import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { join, makeList } from "@/lib/testing/opt-outs";
import { deleteSubscriber, tagSubscriber } from "./change-subscribers";
import { deleteList } from "./lists";

const database = useTestDatabase();

test.each([
  ["taken off", deleteSubscriber],
  ["tagged", (...given: Parameters<typeof deleteSubscriber>) => tagSubscriber(...given, ["vip"])],
] as const)(
  "members who are %s while their list is deleted are, or are found no more",
  async (_, act) => {
    for (let round = 0; round < 5; round++) {
      const { ctx } = await makeProject(database.db);
      const list = await makeList(ctx);
      const ids: string[] = [];
      for (let n = 0; n < 6; n++) ids.push((await join(ctx, list.id, `p${n}@example.com`)).id);
      const change = (id: string) =>
        act(ctx, id).then(
          () => "done",
          (error: unknown) => (error as { code?: string }).code,
        );
      const [outcomes] = await Promise.all([
        Promise.all(ids.map(change)),
        deleteList(ctx, list.id),
      ]);
      expect(outcomes.filter((outcome) => outcome !== "done" && outcome !== "NOT_FOUND")).toEqual(
        [],
      );
    }
  },
);
