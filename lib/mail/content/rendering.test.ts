import { describe, expect, it } from "vitest";
import type { DraftSource } from "./draft";
import { checkContent, renderDraft, renderOne, renderText } from "./rendering";
import { cpuClock } from "@/lib/testing/cpu-time";
import { loopDuring } from "@/lib/testing/loop-during";

/** An array that holds itself as often as sixty turns double it. */
const nested =
  '{% assign a = "" | split: "," | push: "" %}{% for i in (1..60) %}{% assign a = a | push: a %}{% endfor %}';
const doubled = '{% assign a = "x,y" | split: "," %}' + "{% assign a = a | concat: a %}".repeat(40);
const data = JSON.parse("[".repeat(500) + "1" + "]".repeat(500)) as unknown;

describe("a template that would not end", () => {
  it.each([
    ["an array in itself, written", `${nested}{{ a }}`],
    ["an array in itself, joined to a text", `${nested}{{ a | append: "x" }}`],
    ["an array in itself, as JSON", `${nested}{{ a | json }}`],
    ["an array in itself, joined by itself", `${nested}{{ a | join: a }}`],
    ["doubled arrays", `${doubled}{{ a | size }}`],
    [
      "nested data, doubled",
      `{% assign b = data | concat: data %}${"{% assign b = b | push: b %}".repeat(60)}{{ b }}`,
    ],
  ])("is refused: %s", async (_, source) => {
    let outcome: unknown;
    const loop = await loopDuring(async () => {
      const template = { source, kind: "subject", path: "subject" } as const;
      outcome = await renderOne("bombs", template, { data }).catch((error: unknown) => error);
    });
    expect(outcome).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "subject" }],
    });
    expect(loop).toBeLessThan(200);
  });

  it("fails for the person whose data makes it so, and for nobody else", async () => {
    const source: DraftSource = {
      subject: "Hello",
      html: `<p>{% assign a = "" | split: "," | push: "" %}{% for i in (1..turns) %}{% assign a = a | push: a %}{% endfor %}{{ a | append: "!" }}</p>`,
      text: "Hello",
      previewText: "",
      liquid: true,
      campaign: false,
      postalAddress: "",
      mailReason: "",
      scan: false,
      data: null,
    };
    const urls = { unsubscribeUrl: "", preferencesUrl: "", viewUrl: "" };
    const footer = {
      unsubscribe: "Leave",
      preferences: "Choose",
      reason: "Why",
      dir: "ltr",
    } as const;
    const drafts = await Promise.allSettled(
      [1, 2, 60, 3, 4].map((turns) =>
        renderDraft("data", source, { variables: { turns }, urls, footer, now: new Date(0) }),
      ),
    );
    expect(drafts.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
  });

  it("is not tried for the rest of its people once three of them in a row met its end", async () => {
    const template = {
      source: `${nested}{{ a | append: "?" }}`,
      kind: "html",
      path: "body",
    } as const;
    const outcomes: unknown[] = [];
    for (let turn = 0; turn < 3; turn++) {
      outcomes.push(await renderOne("again", template, {}).catch((error: unknown) => error));
    }
    const used = cpuClock();
    for (let turn = 0; turn < 100; turn++) {
      outcomes.push(await renderOne("again", template, {}).catch((error: unknown) => error));
    }
    expect(used()).toBeLessThan(1_000);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ code: "VALIDATION_ERROR" });
  });
});

describe("large and deep HTML", () => {
  it.each([
    ["2.5 MB of paragraphs", "<p>Hello <b>there</b></p>".repeat(100_000)],
    ["open elements", "<ul><li>".repeat(100_000)],
    ["open comments", "<!--".repeat(500_000)],
    ["attributes", `<a ${"b=c ".repeat(500_000)}>`],
  ])("is converted to text off the loop: %s", async (_, html) => {
    let text = "";
    expect(await loopDuring(async () => (text = await renderText("large", html)))).toBeLessThan(
      200,
    );
    expect(typeof text).toBe("string");
  });
});

it("Liquid that only references and elements spell stays text in the plain part", async () => {
  const html = "<p>{{ a }} &#123;&#123; a }} {<i></i>{ a }} &#123;% assign b = 1 %}</p>";
  const source: DraftSource = {
    subject: "x",
    html,
    text: null,
    previewText: "",
    liquid: true,
    campaign: false,
    postalAddress: "",
    mailReason: "",
    scan: false,
    data: null,
  };
  const urls = { unsubscribeUrl: "", preferencesUrl: "", viewUrl: "" };
  const { text } = await renderDraft("entities", source, {
    variables: { a: "Ada" },
    urls,
    footer: { unsubscribe: "Leave", preferences: "Choose", reason: "Why", dir: "ltr" },
    now: new Date(0),
  });
  expect(text).toBe("Ada {{ a }} {{ a }} {% assign b = 1 %}");
});

it("what does not parse is named with its place, light or not", async () => {
  for (const html of ["<p>\n  {{ a | nosuch }}</p>", "{% if a %}\n{{ a | nosuch }}{% endif %}"]) {
    await expect(checkContent("p", { html }, "emails[1].")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [
        { path: "emails[1].body", message: expect.stringMatching(/line 2, column \d/) as string },
      ],
    });
  }
});
