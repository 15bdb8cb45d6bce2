import { expect, test } from "vitest";
import { detectType, type FileType } from "./content-type";
import { cleanName, cleanSubdirectory, markName } from "./paths";

test.each([
  [undefined, ""],
  ["", ""],
  ["logos", "logos"],
  ["logos/2026/", "logos/2026"],
  ["Ünïcode", "Ünïcode"],
  ["U\u0308ni", "Üni"],
  ["日本/緑", "日本/緑"],
  ["a..b", "a..b"],
])("the folder %j is %j", (given, clean) => expect(cleanSubdirectory(given)).toBe(clean));

test.each([
  "..",
  "../..",
  "a/../b",
  "a/..",
  "./a",
  "/etc",
  "//host/share",
  "C:\\x",
  "C:/x",
  "a\\..\\b",
  "a\0b",
  "a//b",
  ".ssh",
  "a/.git",
  "nul",
  "COM1.png",
  "a/aux/b",
  "lpt²",
  "a.",
  "a /b",
  "a/ b",
  "%2e%2e/x",
  "a\nb",
  "a\u202eb",
  "．．/x",
  "a?b",
  "a*b",
  "<b>",
  "\ud800",
  "a/b/c/d/e/f/g/h/i",
  "x".repeat(101),
])("the folder %j is refused at `subdirectory`", (given) =>
  expect(() => cleanSubdirectory(given)).toThrowError(
    expect.objectContaining({
      code: "VALIDATION_ERROR",
      details: [expect.objectContaining({ path: "subdirectory" })],
    }),
  ),
);

const png = detectType(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "");
const jpeg = detectType(Buffer.from("\xff\xd8\xff\xe0", "latin1"), "");
const as = (type: FileType | null) => {
  if (!type) throw new Error("These bytes have a type.");
  return type;
};

test.each([
  ["logo.png", "logo.png"],
  ["LOGO.PNG", "LOGO.PNG"],
  ["C:\\fakepath\\logo.png", "logo.png"],
  ["../../etc/passwd", "passwd.png"],
  ["..", "file.png"],
  ["", "file.png"],
  [".htaccess", "htaccess.png"],
  ["a\0b\r\nc.png", "a-b-c.png"],
  ["nul.png", "file-nul.png"],
  ["con", "file-con.png"],
  ["page.html", "page.html.png"],
  ["photo.jpg", "photo.png"],
  ["v1.2", "v1.2.png"],
  ["e\u0301te\u0301.png", "été.png"],
  ["evil\u202egnp.exe", "evil-gnp.exe.png"],
  ["---", "file.png"],
])("a PNG called %j is kept as %j", (given, clean) =>
  expect(cleanName(given, as(png))).toBe(clean),
);

test("a name is never longer than 100 characters, nor cut through a character", () => {
  const name = cleanName(`${"緑😀".repeat(80)}.png`, as(png));
  expect(name.length).toBeLessThanOrEqual(100);
  expect(name.isWellFormed()).toBe(true);
  expect(name.endsWith(".png")).toBe(true);
});

test("either extension of a type is kept, a mark goes before it", () => {
  expect(cleanName("a.jpeg", as(jpeg))).toBe("a.jpeg");
  expect(markName("a.b.jpeg", "1f")).toBe("a.b-1f.jpeg");
});
