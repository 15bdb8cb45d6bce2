import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeId,
  encodeId,
  idPrefixes,
  newId,
  newProjectId,
  newUnownedId,
  type IdKind,
} from "./ids";

const kinds = Object.keys(idPrefixes) as IdKind[];

/** The TypeID way, by its definition: the number in base 32, most significant digit first. */
function byDefinition(uuid: string): string {
  let value = BigInt(`0x${uuid.replaceAll("-", "")}`);
  let text = "";
  for (let index = 0; index < 26; index++) {
    text = "0123456789abcdefghjkmnpqrstvwxyz".charAt(Number(value & 31n)) + text;
    value >>= 5n;
  }
  return text;
}

test("any uuid is written as its base 32 number, and read back", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom(...kinds), (uuid, kind) => {
      const id = encodeId(kind, uuid);
      expect(id).toBe(`${idPrefixes[kind]}_${byDefinition(uuid)}`);
      expect(decodeId(kind, id)).toBe(uuid);
    }),
  );
});

test("nothing else is read: other kinds, other alphabets, other lengths, more than 128 bits", () => {
  const id = encodeId("email", newUnownedId());
  const body = id.slice(3);
  for (const text of [
    body,
    `con_${body}`,
    `em_${body}0`,
    `em_${body.slice(1)}`,
    `em_${body.slice(0, -1)}u`,
    `em_${body.toUpperCase()}`,
    `em_8${body.slice(1)}`,
    "em_",
    "",
  ]) {
    expect(decodeId("email", text)).toBeNull();
  }
});

test("a template's second prefix is read, too", () => {
  const uuid = newUnownedId();
  expect(decodeId("template", encodeId("template", uuid).replace("tpl_", "tmpl_"))).toBe(uuid);
});

test("new ids are UUIDv7 of their millisecond, and differ", () => {
  const projectId = newProjectId();
  const ids = Array.from({ length: 2000 }, () => newId(projectId, 1_795_000_000_000));
  expect(new Set(ids).size).toBe(2000);
  for (const id of ids) {
    expect(id).toMatch(/^01a1ee56-5e00-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test("what is made one after the other is in that order, within a millisecond too", () => {
  const projectId = newProjectId();
  const ids = Array.from({ length: 20_000 }, () => newId(projectId));
  expect(ids.toSorted()).toEqual(ids);
});

test("what a project owns, and the project itself, carry its last twelve bits in rand_a", () => {
  const rands = Array.from({ length: 500 }, () => {
    const projectId = newProjectId();
    const randA = projectId.slice(15, 18);
    expect(projectId).toMatch(/^[0-9a-f-]{14}7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(projectId.slice(-3)).toBe(randA);
    expect(newId(projectId).slice(15, 18)).toBe(randA);
    return randA;
  });
  // Projects spread over the 4,096 homes; 500 of them fill 470 on average.
  expect(new Set(rands).size).toBeGreaterThan(430);
});

test("a project is named by its uuid, not as on the wire", () => {
  expect(() => newId(encodeId("project", newProjectId()))).toThrow("uuid");
});

test("an id of what no project owns is random where others have their home", () => {
  const rands = Array.from({ length: 500 }, () => newUnownedId().slice(15, 18));
  expect(new Set(rands).size).toBeGreaterThan(430);
});
