import { beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { isProof } from "@/lib/domain/forms/proof-of-work";
import { formVisitors } from "@/lib/testing/forms";
import { htmlFaults } from "@/lib/testing/valid-html";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();
const { ask, post, setUp, travel } = formVisitors(app, database);
let addresses = 0;
/** Of this test alone: what one address gets is counted over all projects. */
let email = "";
beforeEach(() => {
  email = `rob.${++addresses}@example.com`;
});

describe("against robots", () => {
  test("the field nobody sees is answered like a sign-up, and takes nobody", async () => {
    const { path, fill, mails, figures } = await setUp();
    const answer = await fill({ email, homepage: "http://spam.example" });
    expect(answer.headers.get("location")).toBe(`${path}/sent`);
    expect(await mails()).toEqual([]);
    expect(await figures()).toMatchObject({ sent: 0, refused: 1 });
  });

  test.each([
    ["none", () => ""],
    ["made just now", (of: (age: number) => string) => of(0)],
    ["two days old", (of: (age: number) => string) => of(2 * 86_400)],
    ["from the future", (of: (age: number) => string) => of(-600)],
    ["edited", (of: (age: number) => string) => `${of(30).slice(0, -2)}AA`],
  ])("a stamp that is %s asks for one more press, with a new one", async (_, made) => {
    const { path, mails, stampOf } = await setUp();
    const answer = await post(path, { email, stamp: made(stampOf) });
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain("press the button once more");
    expect(html).toContain(`value="${email}"`);
    expect(html).toMatch(/name="stamp" value="[\w-]{40,}"/);
    expect(await mails()).toEqual([]);
  });

  test("a stamp of another form is none of this one's", async () => {
    const { path, mails } = await setUp();
    const { stampOf } = await setUp();
    expect((await post(path, { email, stamp: stampOf(30) })).status).toBe(200);
    expect(await mails()).toEqual([]);
  });

  test("of 1,000 posts by one caller, from all over its /64, 20 are looked at", async () => {
    const { fill, mails } = await setUp();
    const statuses: number[] = [];
    for (let batch = 0; batch < 10; batch++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          fill(
            { email: `victim${batch}-${index}@example.com` },
            { from: `2001:db8:ffff:1::${(batch * 100 + index + 1).toString(16)}` },
          ),
        ),
      );
      statuses.push(...answers.map(({ status }) => status));
      const limited = answers.find(({ status }) => status === 429);
      expect(Number(limited?.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(statuses.filter((status) => status === 303)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(980);
    expect(await mails()).toHaveLength(20);
    // Somebody else signs up all the same.
    expect((await fill({ email })).status).toBe(303);
  }, 120_000);

  test("one address gets three mails a day by a project's forms, however it is spelt", async () => {
    const { fill, mails, path, figures } = await setUp();
    const spellings = [email, email.toUpperCase(), email.replace("@", "+1@")];
    for (let hour = 0; hour < 5; hour++) {
      await travel(3_600);
      for (const spelling of spellings) {
        const answer = await fill({ email: spelling });
        expect(answer.headers.get("location")).toBe(`${path}/sent`);
      }
    }
    expect(await mails()).toHaveLength(3);
    expect((await figures()).sent).toBe(3);
  });

  test("a known address and an unknown one are answered alike, and as fast", async () => {
    const { ctx, fill } = await setUp({ list: true });
    const times: Record<string, number[]> = { known: [], unknown: [] };
    for (let round = 0; round < 5; round++) {
      await upsertContact(ctx, { email: `known${round}@example.com` });
      for (const who of ["known", "unknown"]) {
        const began = performance.now();
        const answer = await fill({ email: `${who}${round}@example.com` });
        times[who]?.push(performance.now() - began);
        expect([answer.status, await answer.text()]).toEqual([303, ""]);
      }
    }
    expect(Math.min(...Object.values(times).flat())).toBeGreaterThanOrEqual(395);
  });

  test("proof of work counts once; without it people confirm by mail, a few an hour", async () => {
    const { ctx, path, fill, mails, stampOf } = await setUp({
      ...{ proofOfWork: true, doubleOptIn: false },
    });
    const page = await ask(path);
    const html = await page.text();
    expect(page.headers.get("content-security-policy")).toMatch(/script-src 'sha256-[^']+'/);
    expect(html.match(/<script>/g)).toHaveLength(1);
    expect(await htmlFaults(html)).toEqual([]);
    const stamp = stampOf(30);
    let proof = 0;
    while (!isProof(stamp, String(proof))) proof++;
    const worked = { stamp, proof: String(proof) };
    await fill({ email, ...worked });
    expect((await getContact(ctx, email)).subscribed).toBe(true);
    expect(await mails()).toEqual([]);
    await fill({ email: "again@example.com", ...worked });
    expect((await mails()).map(({ to }) => to)).toEqual(["again@example.com"]);
    const from = "203.0.113.9";
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++) {
      statuses.push((await fill({ email: `slow${index}@example.com` }, { from })).status);
    }
    expect(statuses).toEqual([303, 303, 303, 429, 429]);
  });
});

describe("an address that looks wrong", () => {
  test("is asked about, and one press takes either, with what else was written", async () => {
    const { fill, mails } = await setUp({
      questions: [{ key: "firstName", label: "", required: true }],
    });
    const typed = { email: "ada@gmial.com", firstName: "Ada" };
    const answer = await fill(typed);
    const html = await answer.text();
    expect(html).toContain("Did you mean <strong>ada<wbr/>@gmail.com</strong>?");
    expect(html).toContain('name="firstName" value="Ada"');
    expect(await htmlFaults(html)).toEqual([]);
    expect(await mails()).toEqual([]);
    await fill({ ...typed, keep: "ada@gmail.com" });
    await fill({ ...typed, keep: "ada@gmial.com" });
    expect((await mails()).map(({ to }) => to).sort()).toEqual(["ada@gmail.com", "ada@gmial.com"]);
  });

  test("a disposable one is pointed out, and taken if the person keeps it", async () => {
    const { fill, mails } = await setUp();
    const typed = { email: "ada@mailinator.com" };
    expect(await (await fill(typed)).text()).toContain("stop working after a short time");
    expect(await mails()).toEqual([]);
    await fill({ ...typed, keep: typed.email });
    expect(await mails()).toHaveLength(1);
  });
});
