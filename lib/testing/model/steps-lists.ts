import fc from "fast-check";
import { expect } from "vitest";
import { addresses, filterFor, filters, inTurn, nameAndTags, turns } from "./inputs";
import type { Model } from "./state";
import { step, type Step } from "./step";

/* Steps that change lists, their members, and segments. */

const hasLists = (model: Readonly<Model>) => model.lists.length > 0;
const hasSegments = (model: Readonly<Model>) => model.segments.length > 0;

const addList = fc.boolean().map((confirms) =>
  step("add list", { confirms }, async (model, product) => {
    const { id } = (await product.expect(201, "session", "POST", "lists", {
      name: `List ${model.count}`,
      fromEmail: "news@sandbox.test",
      subscribeConfirmation: confirms,
    })) as { id: string };
    model.lists.push({ id, confirms, members: [] });
  }),
);

const deleteList = turns.map((turn) =>
  step(
    "delete list",
    turn,
    async (model, product) => {
      const list = inTurn(model.lists, turn);
      if (!list) return;
      const isUsed = model.isInUse(list.id);
      await product.expect(isUsed ? 409 : 204, "session", "DELETE", `lists/${list.id}`);
      if (!isUsed) model.lists.splice(model.lists.indexOf(list), 1);
    },
    hasLists,
  ),
);

const join = fc.tuple(turns, addresses, nameAndTags).map(([turn, email, fields]) =>
  step(
    `join list ${turn}`,
    { email, ...fields },
    async (model, product) => {
      const list = inTurn(model.lists, turn);
      if (!list) return;
      const request = ["session", "POST", `lists/${list.id}/subscribers`] as const;
      const input = { email, ...fields };
      const present = model.find(email);
      if (present && model.memberOf(list, present)) {
        await product.expect(409, ...request, input);
        return;
      }
      const { tags = [], ...names } = fields;
      const status = list.confirms ? "unconfirmed" : "subscribed";
      const { person } = model.upsert(email, names, list.confirms ? "never" : "subscribed");
      person.tags = [...new Set([...person.tags, ...tags])];
      if (status === "subscribed" && person.consent === "never") person.consent = "subscribed";
      const { id, contactId, ...member } = (await product.expect(201, ...request, input)) as {
        id: string;
        contactId: string;
        status: string;
      };
      person.id ||= contactId;
      expect({ contactId, status: member.status }).toEqual({ contactId: person.id, status });
      list.members.push({ id, contactId, status });
    },
    hasLists,
  ),
);

const changeMember = fc
  .tuple(turns, turns, fc.constantFrom("subscribe", "unsubscribe", "take off"))
  .map(([listTurn, turn, what]) =>
    step(
      `${what} a member`,
      [listTurn, turn],
      async (model, product) => {
        const list = inTurn(model.lists, listTurn);
        const member = list && inTurn(list.members, turn);
        if (!member) return;
        const path = `subscribers/${member.id}`;
        if (what === "take off") {
          await product.expect(204, "session", "DELETE", path);
          list.members.splice(list.members.indexOf(member), 1);
          return;
        }
        const status = what === "subscribe" ? "subscribed" : "unsubscribed";
        model.setMembership(member, status);
        const answer = await product.expect(200, "session", "POST", `${path}/${what}`);
        expect(answer).toMatchObject({ status });
      },
      hasLists,
    ),
  );

const addSegment = filters.map((parts) =>
  step("add segment", parts, async (model, product) => {
    const filter = filterFor(model, parts);
    const input = { name: `Segment ${model.count}`, filter };
    const answer = await product.expect(201, "key", "POST", "segments", input);
    expect(answer).toMatchObject({ contactCount: model.matching(filter).length, filter });
    model.segments.push({ id: (answer as { id: string }).id, filter });
  }),
);

const changeSegment = fc.tuple(turns, filters).map(([turn, parts]) =>
  step(
    `change segment ${turn}`,
    parts,
    async (model, product) => {
      const segment = inTurn(model.segments, turn);
      if (!segment) return;
      const filter = filterFor(model, parts);
      const isChoosing = model.campaigns.some(
        ({ segmentId, status, audienceDone }) =>
          segmentId === segment.id && ["SENDING", "PAUSED"].includes(status) && !audienceDone,
      );
      const path = `segments/${segment.id}`;
      await product.expect(isChoosing ? 409 : 200, "key", "PATCH", path, { filter });
      if (!isChoosing) segment.filter = filter;
    },
    hasSegments,
  ),
);

const deleteSegment = turns.map((turn) =>
  step(
    "delete segment",
    turn,
    async (model, product) => {
      const segment = inTurn(model.segments, turn);
      if (!segment) return;
      const isUsed = model.isInUse(segment.id);
      await product.expect(isUsed ? 409 : 204, "key", "DELETE", `segments/${segment.id}`);
      if (!isUsed) model.segments.splice(model.segments.indexOf(segment), 1);
    },
    hasSegments,
  ),
);

export const stepsOfLists: fc.Arbitrary<Step>[] = [
  addList,
  deleteList,
  join,
  join,
  changeMember,
  addSegment,
  addSegment,
  changeSegment,
  deleteSegment,
];
