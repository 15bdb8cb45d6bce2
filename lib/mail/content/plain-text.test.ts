import { describe, expect, it } from "vitest";
import { textFromHtml } from "./plain-text";
import { cpuClock } from "@/lib/testing/cpu-time";

describe("the plain part", () => {
  it("is what is read in the HTML, links with their address in brackets", () => {
    expect(textFromHtml('<h1>News</h1><p>Read <a href="https://a.example/x">more</a></p>')).toBe(
      "News\n\nRead more [https://a.example/x]",
    );
  });

  it("has each row of a table on its line, its cells apart", () => {
    const table =
      "<table><thead><tr><th>What</th><th>Price</th></tr></thead><tbody>" +
      "<tr><td>Tea</td> <!-- --> <td>4.00</td></tr><tr><td>Cake</td><td></td></tr></tbody></table>";
    expect(textFromHtml(`<p>Yours</p>${table}<p>Thanks</p>`)).toBe(
      "Yours\n\nWhat Price\nTea 4.00\nCake\n\nThanks",
    );
  });

  it("says what pictures say in words, alone and in links", () => {
    expect(
      textFromHtml(
        '<img src="a.png" alt=" Spring sale "> <img src="b.png"><a href="https://a.example/"><img src="c.png" alt="Shop"></a>',
      ),
    ).toBe("Spring sale Shop [https://a.example/]");
  });

  it("is made in a moment of HTML that opens elements without end", () => {
    for (const opened of ["<div>", "<ul><li>", "<table><tr><td>", "<p><b></i>", "<div></z>"]) {
      const used = cpuClock();
      expect(textFromHtml(`Read this${opened.repeat(200_000)}deep`)).toContain("Read this");
      expect(used()).toBeLessThan(5_000);
    }
  });

  it("is whole where many elements stand beside each other, closed or without an end tag", () => {
    const many = "<div>A<br>b<img src=x><hr></div>".repeat(20_000);
    expect(textFromHtml(`${many}<p>The end</p>`)).toContain("The end");
  });
});
