import { expect, test } from "vitest";
import { pagePathHeader, returnPathOf } from "./return-path";

const back = (path: string) =>
  returnPathOf(new Headers({ [pagePathHeader]: path }), "/dashboard/prj_1");

test.each([
  ["/dashboard", "/dashboard"],
  [
    "/dashboard/prj_1/emails?status=BOUNCED&search=a%40b",
    "/dashboard/prj_1/emails?status=BOUNCED&search=a%40b",
  ],
  ["/dashboard/prj_1/emails?_rsc=1abc", "/dashboard/prj_1/emails"],
  ["/oauth/authorize?client_id=ocl_1&state=a%26b", "/oauth/authorize?client_id=ocl_1&state=a%26b"],
  ["/dashboard/prj_1/emails?page=2&_rsc=1abc", "/dashboard/prj_1/emails?page=2"],
])("signing in leads back to %s", (path, expected) => {
  expect(back(path)).toBe(expected);
});

test.each([
  "",
  "//evil.example/dashboard",
  "/\\evil.example/dashboard",
  "https://evil.example/dashboard",
  "/dashboard/../api/auth/signout",
  "/dashboard/%2e%2e/%2e%2e/v1/emails",
  "/dashboards",
  "/oauth/token",
  "/oauth/authorize/../token",
  `/dashboard/${"x".repeat(4_000)}`,
])("signing in does not lead to %j", (path) => {
  expect(back(path)).toBe("/dashboard/prj_1");
});
