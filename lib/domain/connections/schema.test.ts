import { expect, it } from "vitest";
import { connectionInput } from "./schema";

it.each([
  [{ kind: "ses", region: "eu-central-1", accessKeyId: "AKIAIOSFODNN7EXAMPLE" }, "secretAccessKey"],
  [{ kind: "resend" }, "apiKey"],
])("a form without a key is told so in words: %j", (input, field) => {
  const { error } = connectionInput.safeParse({ name: "Provider", ...input });
  expect(error?.issues).toMatchObject([{ path: [field], message: "is required" }]);
});
