import { expect, test } from "vitest";
import { adviceOn } from "./address-advice";

test.each([
  ["ada@gmial.com", "ada@gmail.com"],
  ["ada@gmai.com", "ada@gmail.com"],
  ["ada@gmail.con", "ada@gmail.com"],
  ["ada@gmail.co", "ada@gmail.com"],
  ["ada@hotnail.com", "ada@hotmail.com"],
  ["ada@yaho.com", "ada@yahoo.com"],
  ["ada@outlok.com", "ada@outlook.com"],
  ["ada+x@t-onlin.de", "ada+x@t-online.de"],
])("%s is a slip for %s", (typed, meant) => {
  expect(adviceOn(typed)).toEqual({ kind: "typo", suggestion: meant });
});

test.each([
  "ada@gmail.com",
  "ada@hotmail.fr",
  "ada@example.com",
  "ada@company.co.uk",
  "ada@hotmail.se",
  "ada@yahoo.se",
  "ada@live.nl",
  "ada@gmx.de",
  "ada@gmv.de",
  "ada@mail.example.org",
  "ada@sandbox.test",
  "ü@xn--mnchen-3ya.de",
])("nothing is said about %s", (email) => {
  expect(adviceOn(email)).toBeNull();
});

test.each(["mailinator.com", "yopmail.com", "guerrillamail.com", "inbox.mailinator.com"])(
  "%s is pointed out as short-lived",
  (domain) => {
    expect(adviceOn(`ada@${domain}`)).toEqual({ kind: "disposable", domain });
  },
);
