import { expect, test } from "vitest";
import { readIncoming } from "./read";

test("what is shown in a line reads in the order it is written", async () => {
  const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;
  const raw = [
    `From: ${encoded("A\u202eda")} <ada@example.net>`,
    `Subject: ${encoded("\u2067Bill \u202egnp.exe")}`,
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "\u202eHello",
    "--b",
    `Content-Disposition: attachment; filename="${encoded("bill\u202egnp.exe")}"`,
    "Content-Type: application/octet-stream",
    "",
    "x",
    "--b--",
    "",
  ].join("\r\n");
  const mail = await readIncoming(Buffer.from(raw));
  expect(mail.from).toEqual({ email: "ada@example.net", name: "Ada" });
  expect(mail.subject).toBe("Bill gnp.exe");
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(["billgnp.exe"]);
  // The text is somebody's own.
  expect(mail.text.trim()).toBe("\u202eHello");
});
