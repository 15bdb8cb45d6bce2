import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAppError } from "@/lib/ground/errors";
import { compileTemplate, renderTemplate, type TemplateKind } from "./liquid";
import { contactVariables } from "./variables";

const render = (source: string, variables = {}, kind: TemplateKind = "html") =>
  renderTemplate(compileTemplate(source, kind), variables, new Date("2026-02-03T04:05:06Z"));

const faultOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (isAppError(error) && error.code === "VALIDATION_ERROR") return error.message;
    throw error;
  }
  return "no fault";
};

describe("values", () => {
  it("are escaped in HTML, not in subject and text", () => {
    const name = `<b>"O'Neil" & co</b>`;
    expect(render("{{ name }}", { name })).toBe("&lt;b&gt;&#34;O&#39;Neil&#34; &amp; co&lt;/b&gt;");
    expect(render("{{ name }}", { name }, "subject")).toBe(name);
    expect(render("{{ name }}", { name }, "text")).toBe(name);
  });
  it("stay as they are behind raw, and are escaped once behind escape", () => {
    expect(render("{{ a | raw }}{{ a | escape }}", { a: "<i>" })).toBe("<i>&lt;i&gt;");
    expect(render("{{ a | raw | upcase }}", { a: "<i>" })).toBe("&lt;I&gt;");
  });
  it("are never expanded again", () => {
    expect(render("{{ a }}{% assign b = a %}{{ b | raw }}", { a: "{{ c }}", c: "no" })).toBe(
      "{{ c }}{{ c }}",
    );
  });
  it("that are objects, also with a toString of their own, harm nobody", () => {
    expect(render("{{ a }}", { a: { toString: 1 } }, "text")).toBe("[object Object]");
    expect(render("{% assign b = a %}{{ b.toString }}", { a: { toString: 1 } })).toBe("1");
  });
  it("that are missing render empty, and default speaks for them", () => {
    expect(render('[{{ a }}{{ b.c.d }}]{{ a | default: "there" }}')).toBe("[]there");
    expect(render('{{ a | default: "there" }}', { a: "" })).toBe("there");
  });
  it("give away nothing of prototypes", () => {
    const text = "{{ a.constructor }}{{ a.__proto__ }}{{ toString }}{{ constructor.name }}";
    expect(render(text, { a: {} })).toBe("");
    const parsed = JSON.parse('{"__proto__": {"x": "own"}}') as Record<string, unknown>;
    expect(contactVariables(null, parsed)["x"]).toBeUndefined();
  });
  it("may be objects with a key toString", () => {
    expect(render("a {{ v }} b", { v: { toString: false } })).toBe("a [object Object] b");
  });
  it("of any form never put a tag into HTML", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const text = render("{{ v }}", {
          v: JSON.parse(JSON.stringify(value) ?? "null") as unknown,
        });
        expect(text).not.toMatch(/[<>"']/);
      }),
    );
  });
});

describe("a subject", () => {
  it("is one line whatever its values hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) => {
        const breaks = String.fromCharCode(13, 10, 0x2028, 0x85, 0, 11);
        expect(render(`Hi {{ name }}${breaks}!`, { name: name + breaks }, "subject")).not.toMatch(
          /[\u0000-\u001f\u0085\u2028\u2029]/,
        );
      }),
    );
    expect(render("a\r\nBcc: x@y.z", {}, "subject")).toBe("a Bcc: x@y.z");
  });
  it("longer than 998 characters is refused", () => {
    expect(faultOf(() => render("{{ a }}", { a: "x".repeat(999) }, "subject"))).toContain(
      "too long",
    );
  });
});

describe("the locked engine", () => {
  it.each(["include", "render", "layout", "block", "liquid"])("has no %s", (tag) => {
    expect(faultOf(() => render(`{% ${tag} "x" %}`))).toContain(`tag "${tag}" not found`);
  });
  it.each(["where_exp", "find_exp", "sample", "nonsense"])("has no filter %s", (filter) => {
    expect(faultOf(() => render(`{{ a | ${filter}: "x", "y" }}`, { a: [1] }))).toContain(filter);
  });
  it("names line and column of what does not parse, and the field", () => {
    const fault = faultOf(() => compileTemplate("<p>\n  {% if a %}", "html", "emails[1].body"));
    expect(fault).toBe(
      "emails[1].body: is not a valid template: tag {% if a %} not closed, line 2, column 3",
    );
    expect(faultOf(() => render("ok\n{{ a | }}x{{"))).toMatch(/line \d+, column \d+/);
  });
  it("names the field of each caller when the template is a known one", () => {
    compileTemplate("{{ a | times: 2 }}", "text", "one");
    expect(compileTemplate("{{ a | times: 2 }}", "text", "two").path).toBe("two");
  });
  it("takes now from the caller", () => {
    expect(render(`{{ "now" | date: "%Y-%m-%d %H:%M" }}`)).toBe("2026-02-03 04:05");
  });
});

describe("bounds", () => {
  it.each([
    ["loops", "{% for a in (1..100000) %}{% for b in (1..1000) %}{% endfor %}{% endfor %}"],
    ["a range", "{% for a in (1..1000000000) %}{% endfor %}"],
    ["doubling", `{% assign a = "aaaaaaaaaa" %}${"{% assign a = a | append: a %}".repeat(30)}`],
    [
      "captured doubling",
      `{% assign a = "aaaaaaaaaa" %}${"{% capture a %}{{ a | raw }}{{ a | raw }}{% endcapture %}".repeat(30)}`,
    ],
    ["output", `{% for a in (1..100000) %}${"x".repeat(1000)}{% endfor %}`],
  ])("on %s hold", (_, source) => {
    expect(faultOf(() => render(source))).toContain("cannot be rendered");
  });
  it("on nesting hold", () => {
    const nested = (depth: number) => "{% if a %}".repeat(depth) + "{% endif %}".repeat(depth);
    expect(faultOf(() => render(nested(5_000)))).toContain("nested more than 32 deep");
    expect(render(nested(32))).toBe("");
  });
  it("on tags hold", () => {
    expect(faultOf(() => render("{{ a }}".repeat(20_001)))).toContain("more than 20000 tags");
  });
  it("of one rendering do not burden the next", () => {
    for (let index = 0; index < 20; index++) {
      expect(render("{% for a in (1..30000) %}{{ a }}{% endfor %}").length).toBeGreaterThan(1000);
    }
  });
});

describe("variables of a contact", () => {
  const contact = {
    email: "ada@example.com",
    firstName: "Ada",
    lastName: "Byron",
    tags: ["vip"],
    data: { plan: "free", email: "other", city: "London" },
  };
  it("are its fields, its data by bare name and below data, and the request's data over all", () => {
    const variables = contactVariables(contact, { plan: "pro", firstName: "Augusta" });
    expect(
      render(
        "{{email}} {{firstName}} {{lastName}} {{tags[0]}} {{plan}} {{data.plan}} {{city}}",
        variables,
      ),
    ).toBe("ada@example.com Augusta Byron vip pro pro London");
    expect(contact.data.plan).toBe("free");
  });
});
