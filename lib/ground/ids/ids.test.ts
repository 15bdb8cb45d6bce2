import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeId, encodeId, idPrefixes, newId, type IdKind } from "./ids";

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
  const id = encodeId("email", newId());
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
  const uuid = newId();
  expect(decodeId("template", encodeId("template", uuid).replace("tpl_", "tmpl_"))).toBe(uuid);
});

test("new ids are UUIDv7 of their millisecond, and differ", () => {
  const ids = Array.from({ length: 2000 }, () => newId(1_795_000_000_000));
  expect(new Set(ids).size).toBe(2000);
  for (const id of ids) {
    expect(id).toMatch(/^01a1ee56-5e00-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});
