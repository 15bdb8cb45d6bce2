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

test("the brand is kept whole, replaced whole and taken away, and is the project's alone", async () => {
  const { ctx } = await makeProject(database.db, { role: "admin" });
  const { ctx: other } = await makeProject(database.db);
  expect((await getProjectSettings(ctx)).brand).toBeNull();
  const input = validate(projectUpdate, {
    brand: {
      theme: { accent: "#13615a", headingFont: "serif" },
      colours: ["#c4351a"],
      logo: { src: "https://example.com/logo.png", alt: "Example", width: 160 },
    },
  });
  const saved = await updateProjectSettings(ctx, input);
  expect(saved.brand).toMatchObject({
    theme: { accent: "#13615a", headingFont: "serif", width: 600 },
    colours: ["#c4351a"],
    logo: { src: "https://example.com/logo.png", alt: "Example", href: "", width: 160 },
  });
  expect((await getProjectSettings({ ...ctx, role: "viewer" })).brand).toEqual(saved.brand);
  expect((await getProjectSettings(other)).brand).toBeNull();
  // Another setting leaves it as it is.
  expect((await updateProjectSettings(ctx, { name: "Shop" })).brand).toEqual(saved.brand);
  const plain = await updateProjectSettings(ctx, validate(projectUpdate, { brand: { theme: {} } }));
  expect(plain.brand).toMatchObject({ colours: [], logo: null });
  expect((await updateProjectSettings(ctx, { brand: null })).brand).toBeNull();
});

test.each([
  ["brand.theme.accent", { theme: { accent: "red" } }],
  ["brand.theme.font", { theme: { font: "comic" } }],
  ["brand.logo.src", { theme: {}, logo: { src: "javascript:alert(1)" } }],
  ["brand.logo.src", { theme: {}, logo: { src: "" } }],
  ["brand.logo.src", { theme: {}, logo: { src: "{{ data.logo }}" } }],
  ["brand.logo.src", { theme: {}, logo: { src: "https://example.com/{{ data.logo }}" } }],
  ["brand.colours", { theme: {}, colours: Array.from({ length: 9 }, () => "#112233") }],
])("refuses %s in %j", (path, brand) => {
  expect(() => validate(projectUpdate, { brand })).toThrow(path);
});
