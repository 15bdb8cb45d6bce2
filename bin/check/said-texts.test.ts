import { expect, test } from "vitest";
import { saidTexts } from "./said-texts";

const read = (source: string) => {
  const { said, faults } = saidTexts("components/x.tsx", source);
  return { said: said.map(({ text, isMessage }) => [text, isMessage]), faults };
};

test("texts are found where they are said, and whether they are messages", () => {
  const source = `import { counted } from "x";
    const words = phrases({ sent: "Was sent", rows: [{ value: "SENT", label: "Sent" }], plain: ["One"], name: "Name" });
    const view = (n) => <p title={t("Title")}>{rich("Read <b>{n}</b>", { b: bold, n })}{counted(n, "email")}
      {counted(n, "person", "people")}{words.sent}</p>;`;
  expect(read(source)).toEqual({
    said: [
      ["Was sent", false],
      ["Sent", false],
      ["One", false],
      ["Name", false],
      ["Title", false],
      ["Read <b>{n}</b>", true],
      ["{count, plural, one {# email} other {# emails}}", true],
      ["{count, plural, one {# person} other {# people}}", true],
    ],
    faults: [],
  });
});

test("a text put together elsewhere or said before there is a reader is a fault", () => {
  expect(read(`const title = t("Early"); const late = (text) => t(text);`).faults).toEqual([
    "components/x.tsx:1 t() is called before there is a reader",
    "components/x.tsx:1 t() wants its text written there",
  ]);
  expect(
    read(`import { counted } from "x"; const many = (n, noun) => counted(n, noun);`).faults,
  ).toHaveLength(1);
});
