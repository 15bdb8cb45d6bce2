import { expect, test } from "vitest";
import { previewBytes } from "./csv-preview";
import { readTextFile } from "./encoding";

const file = (bytes: Uint8Array<ArrayBuffer>) =>
  new File([bytes], "people.csv", { type: "text/csv" });
const utf8 = (text: string) => new TextEncoder().encode(text);

test("UTF-8 is taken as it is", async () => {
  const given = file(utf8("email;Stadt\na@example.com;Köln\n"));
  const read = await readTextFile(given);
  expect(read).toMatchObject({ converted: false, text: "email;Stadt\na@example.com;Köln\n" });
  expect(read?.file).toBe(given);
});

test("a CSV of Excel on Windows is written anew, with umlauts and the euro sign", async () => {
  const line = "a@example.com;K\xf6ln;Stra\xdfe;9 \x80\r\n";
  const read = await readTextFile(file(Uint8Array.from(line, (char) => char.charCodeAt(0))));
  expect(read).toMatchObject({ converted: true, text: "a@example.com;Köln;Straße;9 €\r\n" });
  expect(await read?.file.text()).toBe("a@example.com;Köln;Straße;9 €\r\n");
  expect(read?.file.name).toBe("people.csv");
});

test("a workbook and UTF-16 are no text", async () => {
  expect(await readTextFile(file(Uint8Array.of(0x50, 0x4b, 3, 4, 0x14, 0, 6, 0, 0x9f)))).toBeNull();
  expect(await readTextFile(file(Uint8Array.of(0xff, 0xfe, 0x65, 0, 0x6d, 0)))).toBeNull();
});

test("a file whose first umlaut comes late is read to its end before it is taken for UTF-8", async () => {
  const line = "a@example.com;Bonn\n";
  const count = Math.ceil((2 * previewBytes) / line.length);
  const late = `${line.repeat(count)}b@example.com;K\xf6ln\n`;
  const read = await readTextFile(file(Uint8Array.from(late, (char) => char.charCodeAt(0))));
  expect(read?.converted).toBe(true);
  expect((await read?.file.text())?.endsWith("b@example.com;Köln\n")).toBe(true);
  const good = file(utf8(`${line.repeat(count)}b@example.com;Köln\n`));
  expect(await readTextFile(good)).toMatchObject({ converted: false, file: good });
});
