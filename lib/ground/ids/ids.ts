import { randomFillSync } from "node:crypto";

/** Prefix of each kind of id on the wire (TypeID: prefix, underscore, UUIDv7 in Crockford base32). */
export const idPrefixes = {
  project: "prj",
  user: "usr",
  invitation: "inv",
  contact: "con",
  contactChange: "chg",
  contactNote: "note",
  template: "tpl",
  savedBlock: "blk",
  segment: "seg",
  topic: "top",
  goal: "goal",
  form: "frm",
  email: "em",
  message: "msg",
  campaign: "cmp",
  reportLink: "rpl",
  domain: "dom",
  apiKey: "key",
  webhook: "wh",
  connection: "scn",
  delivery: "whd",
  event: "evt",
  list: "lst",
  listField: "fld",
  subscriber: "sub",
  import: "imp",
  bulkChange: "bch",
  savedView: "view",
  file: "fil",
  capture: "cap",
  inbound: "inb",
  inboundRoute: "irt",
  audit: "aud",
  session: "ses",
  passkey: "psk",
  identity: "idn",
  assistant: "ast",
  oauthClient: "ocl",
} as const;

export type IdKind = keyof typeof idPrefixes;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const digits = new Map([...alphabet].map((char, value) => [char, value]));
/** Prefixes that are also read, besides the one that is written. */
const acceptedAliases: Partial<Record<IdKind, readonly string[]>> = {
  template: ["tmpl"],
};

// Randomness is drawn 4 kB at a time: a call per id costs more than the rest of making one.
const pool = Buffer.alloc(4096);
let used = pool.length;

/** Milliseconds from the program's steady clock to the wall clock. */
let ahead = performance.timeOrigin;
let last = 0;

/** The wall clock in milliseconds, finer than Date.now(). */
function now(): number {
  const before = performance.now();
  const millisecond = Date.now();
  const steady = performance.now();
  // Setting the wall clock moves it apart from the steady one, and other work may run between two readings.
  ahead = Math.min(Math.max(ahead, millisecond - steady), millisecond + 1 - before);
  return steady + ahead;
}

// Each turn of Date.now() to its next millisecond narrows down how far the two clocks are apart.
for (const end = performance.now() + 2; performance.now() < end;) now();

/**
 * The time as a number of 4096ths of a millisecond, and never the same twice: one program's ids are in the
 * order they were made in, and within about a microsecond of those that the database makes (`new_id` in SQL).
 */
function nextTick(): number {
  const tick = Math.floor(now() * 4096);
  // A clock that was set back is followed.
  last = last - tick > 40_960 ? tick : Math.max(tick, last + 1);
  return last;
}

/**
 * A time-ordered UUIDv7 in its stored form (RFC 9562, section 5.7). `home`: the three digits of rand_a. The
 * twelve bits behind the variant are the place within the millisecond (section 6.2, method 3).
 */
function make(home: string | null, unixMilliseconds?: number): string {
  if (used + 16 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, (used += 16));
  if (unixMilliseconds === undefined) {
    const tick = nextTick();
    bytes.writeUIntBE(Math.floor(tick / 4096), 0, 6);
    bytes.writeUInt16BE(tick % 4096, 8);
  } else bytes.writeUIntBE(unixMilliseconds, 0, 6);
  bytes[8] = (bytes[8]! & 0x0f) | 0x80;
  const hex = bytes.toString("hex");
  const randA = home ?? hex.slice(13, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${randA}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The last twelve bits of a project's uuid, which are random, as three digits of hex. */
const homeOf = (projectId: string) => projectId.slice(-3);

/**
 * The id of a row that a project (uuid) owns. Its rand_a says which project, as a hint that finds its home
 * when projects live in several databases: older ids do not have it.
 */
export function newId(projectId: string, unixMilliseconds?: number): string {
  if (projectId.length !== 36) throw new Error("A project is named by its uuid.");
  return make(homeOf(projectId), unixMilliseconds);
}

/**
 * Whether an id's hint names the project (uuid), or another one with the same hint: false for ids from before hints.
 */
export const isOfHome = (id: string, projectId: string) => id.slice(15, 18) === homeOf(projectId);

/** The id of a project: its rand_a is what its rows have in theirs. */
export function newProjectId(): string {
  const id = make(null);
  return `${id.slice(0, 15)}${homeOf(id)}${id.slice(18)}`;
}

/** The id of something that no project owns: a user, a session, a lease. */
export function newUnownedId(): string {
  return make(null);
}

/** Stored uuid to wire form: 26 characters of Crockford base32 behind the prefix. */
export function encodeId(kind: IdKind, uuid: string): string {
  const hex = uuid.replaceAll("-", "");
  let text = "";
  // 26 digits hold 130 bits: two zeros stand in front. Plain numbers, since BigInt takes ten times as long.
  let bits = 0;
  let waiting = 2;
  for (let index = 0; index < 32; index++) {
    bits = ((bits & 31) << 4) | parseInt(hex[index] ?? "0", 16);
    waiting += 4;
    if (waiting >= 5) {
      waiting -= 5;
      text += alphabet[(bits >> waiting) & 31] ?? "";
    }
  }
  return `${idPrefixes[kind]}_${text}`;
}

/** Wire form to stored uuid; null for anything that is not a well-formed id of this kind. */
export function decodeId(kind: IdKind, text: string): string | null {
  const separator = text.lastIndexOf("_");
  const prefix = text.slice(0, separator);
  if (prefix !== idPrefixes[kind] && !acceptedAliases[kind]?.includes(prefix)) return null;
  const body = text.slice(separator + 1);
  // 26 characters hold 130 bits: a first digit above 7 does not fit into 128.
  if (body.length !== 26 || body[0]! > "7") return null;
  let value = 0n;
  for (const char of body) {
    const digit = digits.get(char);
    if (digit === undefined) return null;
    value = (value << 5n) | BigInt(digit);
  }
  const hex = value.toString(16).padStart(32, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
