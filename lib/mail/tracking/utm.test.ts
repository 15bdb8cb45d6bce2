import { describe, expect, it } from "vitest";
import { withUtm } from "./utm";

const utm = { source: "news letter", medium: "email" };

describe("UTM parameters", () => {
  it("are added to the query, before the fragment", () => {
    expect(withUtm("https://a.example", utm)).toBe(
      "https://a.example?utm_source=news%20letter&utm_medium=email",
    );
    expect(withUtm("https://a.example/p?x=1#top", utm)).toBe(
      "https://a.example/p?x=1&utm_source=news%20letter&utm_medium=email#top",
    );
    expect(withUtm("https://a.example/?", { term: "a&b" })).toBe(
      "https://a.example/?utm_term=a%26b",
    );
  });

  it("leave those that the author wrote, and the rest of the address", () => {
    expect(withUtm("https://A.example/%7Ex?UTM_Source=own&y=%20", utm)).toBe(
      "https://A.example/%7Ex?UTM_Source=own&y=%20&utm_medium=email",
    );
    const complete = "https://a.example/?utm_medium=&utm_source=x";
    expect(withUtm(complete, utm)).toBe(complete);
  });
});
