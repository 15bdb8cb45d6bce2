import { expect, test } from "vitest";
import { providerOf } from "./providers";

test("addresses of one provider count together with those whose mail its servers take, others by their domain", () => {
  const names = ["gmail.com", "googlemail.com", "google.com", "mx.microsoft", "example.org"];
  expect(names.map(providerOf)).toEqual([
    ...["Google", "Google", "Google", "Microsoft", "example.org"],
  ]);
});
