import { describe, expect, it } from "vitest";
import { operatorOf } from "./operator";

describe("operatorOf", () => {
  it.each([
    ["aspmx.l.google.com", "google.com"],
    ["example-com.mail.protection.outlook.com", "outlook.com"],
    ["mx1.example.co.uk", "example.co.uk"],
    ["mail.example.de", "example.de"],
    ["localhost", "localhost"],
  ])("of %s is %s", (host, operator) => expect(operatorOf(host)).toBe(operator));
});
