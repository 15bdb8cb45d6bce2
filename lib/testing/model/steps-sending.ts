import fc from "fast-check";
import { expect } from "vitest";
import { addresses, inTurn, turns } from "./inputs";
import type { Product } from "./product";
import { advanceModel, dispatchModel, start } from "./sending";
import type { Model, ModelCampaign, Target } from "./state";
import { step, type Step } from "./step";

/* Steps that send, and the worker's. */

const from = "news@sandbox.test";

const send = fc
  .tuple(
    fc.uniqueArray(addresses, {
      minLength: 1,
      maxLength: 3,
      selector: (email) => email.toLowerCase(),
    }),
    fc.option(fc.boolean(), { nil: undefined }),
  )
  .map(([to, subscribed]) =>
    step("send", { to, subscribed }, async (model, product) => {
      const subject = `Mail ${model.count}`;
      const consent = subscribed === undefined ? {} : { subscribed };
      const people = to.map((email) => model.upsert(email, consent, "never").person);
      const { data } = (await product.expect(200, "key", "POST", "send", {
        ...{ to, ...consent, from, subject, body: "<p>Hello</p>" },
      })) as { data: { emails: { email: string; contact: { id: string; email: string } }[] } };
      expect(data.emails).toHaveLength(to.length);
      for (const [index, person] of people.entries()) {
        const answered = data.emails[index];
        person.id ||= answered?.contact.id ?? "";
        expect(answered?.contact).toEqual({ id: person.id, email: person.email });
        model.mails.push({
          id: answered?.email ?? "",
          subject,
          recipient: to[index] ?? "",
          contactId: person.id,
          campaign: null,
          status: model.suppressionOf(person.email) ? "FAILED" : "PENDING",
          captured: false,
        });
      }
    }),
  );

const cancelMail = turns.map((turn) =>
  step("cancel mail", turn, async (model, product) => {
    const mail = inTurn(
      model.mails.filter(({ id }) => id !== null),
      turn,
    );
    if (!mail) return;
    const status = mail.status === "PENDING" ? 200 : 409;
    await product.expect(status, "key", "POST", `emails/${mail.id ?? ""}/cancel`);
    if (mail.status === "PENDING") mail.status = "FAILED";
  }),
);

/** Of three campaigns, about one is for everybody, one for a list and one for a segment. */
function targetFor(model: Model, turn: number): Target {
  const everybody = { listId: null, segmentId: null };
  if (turn % 3 === 0) return everybody;
  if (turn % 3 === 1) return { ...everybody, listId: inTurn(model.lists, turn)?.id ?? null };
  return { ...everybody, segmentId: inTurn(model.segments, turn)?.id ?? null };
}

const addCampaign = turns.map((turn) =>
  step("add campaign", turn, async (model, product) => {
    const target = targetFor(model, turn);
    const subject = `Campaign ${model.count}`;
    const input = { name: subject, subject, from, body: "<p>News</p>", ...target };
    const { id } = (await product.expect(201, "key", "POST", "campaigns", input)) as { id: string };
    model.campaigns.push({
      ...{ id, subject, ...target, status: "DRAFT", audienceDone: false, ending: false },
      present: { people: new Set(), members: new Set() },
    });
  }),
);

/** What a step may do with a campaign, and what becomes of it. */
type Transition = (model: Model, campaign: ModelCampaign) => number;

const transitions: Record<string, Transition> = {
  send(model, campaign) {
    if (campaign.status !== "DRAFT") return 409;
    // Its list or segment may be gone.
    if (!model.chosenFor(campaign)) return 400;
    start(model, campaign);
    return 200;
  },
  pause(_, campaign) {
    if (campaign.status !== "SENDING") return 409;
    campaign.status = "PAUSED";
    return 200;
  },
  resume(_, campaign) {
    if (campaign.status !== "PAUSED") return 409;
    campaign.status = "SENDING";
    return 200;
  },
  cancel(_, campaign) {
    if (!["DRAFT", "SENDING", "PAUSED"].includes(campaign.status)) return 409;
    campaign.ending = campaign.status !== "DRAFT";
    campaign.status = "CANCELLED";
    return 200;
  },
};

async function take(
  model: Model,
  product: Product,
  campaign: ModelCampaign,
  name: string,
): Promise<void> {
  const status = transitions[name]?.(model, campaign);
  const path = `campaigns/${campaign.id}/${name}`;
  const answer = await product.expect(status ?? 0, "key", "POST", path);
  if (status === 200) expect(answer).toMatchObject({ status: campaign.status });
}

const changeCampaign = fc
  .tuple(turns, fc.constantFrom("send", "send", "send", "pause", "resume", "cancel"))
  .map(([turn, name]) =>
    step(
      `${name} campaign`,
      turn,
      async (model, product) => {
        const campaign = inTurn(model.campaigns, turn);
        if (campaign) await take(model, product, campaign, name);
      },
      ({ campaigns }) => campaigns.length > 0,
    ),
  );

const deleteCampaign = turns.map((turn) =>
  step(
    "delete campaign",
    turn,
    async (model, product) => {
      const campaign = inTurn(model.campaigns, turn);
      if (!campaign) return;
      const { id, status, ending } = campaign;
      const isOver = status === "DRAFT" || (status === "CANCELLED" && !ending);
      await product.expect(isOver ? 204 : 409, "key", "DELETE", `campaigns/${id}`);
      if (isOver) model.campaigns.splice(model.campaigns.indexOf(campaign), 1);
    },
    ({ campaigns }) => campaigns.length > 0,
  ),
);

async function passTime(model: Model, product: Product): Promise<void> {
  await product.pass();
  advanceModel(model);
}

async function dispatch(model: Model, product: Product): Promise<void> {
  await product.dispatch();
  dispatchModel(model);
}

const advance = fc.constant(null).map((none) => step("let time pass", none, passTime));
const work = fc.constant(null).map((none) => step("hand mail over", none, dispatch));

/** Brings everything to its end: campaigns are sent, what is paused is cancelled. */
export async function settle(model: Model, product: Product): Promise<void> {
  await passTime(model, product);
  await dispatch(model, product);
  for (const campaign of model.campaigns) {
    if (campaign.status === "PAUSED") await take(model, product, campaign, "cancel");
  }
  await passTime(model, product);
  const open = model.campaigns.filter(({ status }) => ["SENDING", "PAUSED"].includes(status));
  expect(open, "campaigns that do not end, in the model").toEqual([]);
}

export const stepsOfSending: fc.Arbitrary<Step>[] = [
  send,
  cancelMail,
  addCampaign,
  addCampaign,
  changeCampaign,
  changeCampaign,
  deleteCampaign,
  advance,
  work,
];
