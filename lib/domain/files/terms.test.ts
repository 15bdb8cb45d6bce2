import { expect, test } from "vitest";
import { ownFilePath } from "./terms";

const project = "prj_01kat4rz8sfq3v6d1mpx3k6w9j";

test.each([
  [`https://mail.example.com/files/${project}/logos/acme.png`, "logos/acme.png"],
  // The host that the installation had before.
  [`http://old.example.com:3000/files/${project}/%C3%84%20(1).png?v=2`, "%C3%84%20(1).png"],
])("%s is the project's own file", (address, path) =>
  expect(ownFilePath(address, project)).toBe(`/files/${project}/${path}`),
);

test.each([
  "https://cdn.example.org/logo.png",
  "https://mail.example.com/files/prj_01kat4rz8sfq3v6d1mpx3k6w9k/logo.png",
  `https://mail.example.com/files/${project}`,
  `https://mail.example.com/files/${project}/../prj_other/logo.png`,
  `https://mail.example.com/f/?/files/${project}/logo.png`,
  "https://",
  "",
])("%j is not", (address) => expect(ownFilePath(address, project)).toBeNull());
