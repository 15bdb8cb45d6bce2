import fc from "fast-check";
import { expect } from "vitest";
import {
  addresses,
  consents,
  personFields,
  subjects,
  turns,
  inTurn,
  upsertConsents,
} from "./inputs";
import { expectPeople } from "./looks";
import { step, type Step } from "./step";

/* Steps that change people, and what keeps mail from them. */

const upserts = fc
  .tuple(addresses, personFields, upsertConsents)
  .map(([email, fields, consent]) => ({ email, ...fields, ...consent }));
const path = (email: string) => `contacts/${encodeURIComponent(email)}`;

const upsert = fc
  .tuple(fc.constantFrom("key" as const, "key" as const, "session" as const), upserts)
  .map(([door, input]) =>
    step(`upsert with a ${door}`, input, async (model, product) => {
      const { email, ...fields } = input;
      if (door === "session" && model.wouldLift(email, fields) && !fields.resubscribe) {
        await product.expect(409, door, "POST", "contacts", input);
        return;
      }
      const { person, created } = model.upsert(email, fields);
      const status = created ? 201 : 200;
      const answer = await product.expect(status, door, "POST", "contacts", input);
      person.id ||= (answer as { id: string }).id;
      expectPeople(model, [answer], [person]);
    }),
  );

/** As if the contacts were sent one after the other. */
const upsertMany = fc.array(upserts, { minLength: 1, maxLength: 4 }).map((contacts) =>
  step("upsert many", contacts, async (model, product) => {
    const done = contacts.map(({ email, ...fields }) => model.upsert(email, fields));
    const { created, updated, data } = (await product.expect(200, "key", "POST", "contacts/bulk", {
      contacts,
    })) as { created: number; updated: number; data: { id: string; email: string }[] };
    for (const [index, { person }] of done.entries()) {
      person.id ||= data[index]?.id ?? "";
      expect(data[index]).toEqual({ id: person.id, email: person.email });
    }
    const people = new Set(done.map(({ person }) => person));
    const added = done.filter((one) => one.created).length;
    expect({ created, updated }).toEqual({ created: added, updated: people.size - added });
  }),
);

const change = fc
  .tuple(addresses, fc.option(addresses, { freq: 3, nil: undefined }), personFields, consents)
  .map(([who, email, fields, consent]) => {
    const input = { ...(email && { email }), ...fields, ...consent };
    return step(`change ${who}`, input, async (model, product) => {
      const person = model.find(who);
      const other = email === undefined ? undefined : model.find(email);
      if (!person || (other && other !== person)) {
        await product.expect(person ? 409 : 404, "key", "PATCH", path(who), input);
        return;
      }
      model.change(person, input);
      const answer = await product.expect(200, "key", "PATCH", `contacts/${person.id}`, input);
      expectPeople(model, [answer], [person]);
    });
  });

const erase = addresses.map((who) =>
  step("delete", who, async (model, product) => {
    const person = model.find(who);
    if (person) model.erase(person);
    await product.expect(person ? 204 : 404, "key", "DELETE", path(who));
  }),
);

const suppress = subjects.map((subject) =>
  step("suppress", subject, async (model, product) => {
    const isNew = !model.suppressions.has(subject.toLowerCase());
    model.suppress(subject);
    const reason = model.suppressions.get(subject.toLowerCase());
    const body = { email: subject };
    const answer = await product.expect(isNew ? 201 : 200, "key", "POST", "suppressions", body);
    expect(answer).toMatchObject({ reason });
  }),
);

const lift = fc.tuple(subjects, turns, fc.boolean()).map(([subject, turn, isPresent]) =>
  step("lift", isPresent ? turn : subject, async (model, product) => {
    const chosen = (isPresent && inTurn([...model.suppressions.keys()], turn)) || subject;
    const isLifted = model.suppressions.delete(chosen.toLowerCase());
    // Its whole domain may be suppressed: that is to be lifted instead.
    const status = isLifted ? 204 : model.suppressionOf(chosen) ? 409 : 404;
    await product.expect(status, "key", "DELETE", `suppressions/${encodeURIComponent(chosen)}`);
  }),
);

export const stepsOfPeople: fc.Arbitrary<Step>[] = [
  upsert,
  upsert,
  upsertMany,
  change,
  erase,
  suppress,
  lift,
];
