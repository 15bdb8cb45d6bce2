import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { validate } from "@/lib/ground/validate";
import { projectUpdate } from "./schema";
import { getProjectSettings, updateProjectSettings } from "./settings";

const database = useTestDatabase();

test("name and postal address: admins change the fields they send, everybody reads them", async () => {
  const { ctx } = await makeProject(database.db, { role: "admin" });
  const { ctx: other } = await makeProject(database.db);
  const postalAddress = "Example Ltd\n1 High Street\nLondon";
  expect(await updateProjectSettings(ctx, { postalAddress })).toMatchObject({
    name: "Test project",
    postalAddress,
  });
  const mailReason = "You have an account with us.";
  expect(await updateProjectSettings(ctx, { name: "Shop", mailReason })).toMatchObject({
    name: "Shop",
    postalAddress,
    mailReason,
  });
  expect(await getProjectSettings({ ...ctx, role: "viewer" })).toMatchObject({ name: "Shop" });
  expect((await getProjectSettings(other)).name).toBe("Test project");
  for (const role of ["viewer", "editor"] as const) {
    await expect(updateProjectSettings({ ...ctx, role }, {})).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
  }
});

test.each([
  ["name", ""],
  ["name", "two\nlines"],
  ["postalAddress", "x".repeat(501)],
  ["postalAddress", "1\n2\n3\n4\n5\n6\n7\n8\n9"],
  ["postalAddress", "a\u0007b"],
  ["mailReason", "x".repeat(301)],
  ["mailReason", "two\nlines"],
])("refuses %s: %j", (path, value) => {
  expect(() => validate(projectUpdate, { [path]: value })).toThrow(path);
});
