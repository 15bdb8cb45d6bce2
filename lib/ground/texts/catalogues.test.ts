import { readdirSync } from "node:fs";
import vm from "node:vm";
import { expect, test } from "vitest";
import { catalogueOf, dashboardLanguage } from "./catalogues";
import { dashboardLanguages } from "./dashboard-languages";

test("each language that can be chosen has a catalogue, and the other way round", () => {
  const folders = readdirSync("lib/ground/texts/dashboard");
  expect(dashboardLanguages.map(({ value }) => value).sort()).toEqual(["en", ...folders].sort());
  expect(catalogueOf("en")).toBeNull();
  expect(catalogueOf("constructor")).toBeNull();
});

test("the script gives a browser the whole catalogue", () => {
  const { language, messages, script, scriptPath } = catalogueOf("de")!;
  const browser = vm.createContext({});
  vm.runInContext(script, browser);
  const given = vm.runInContext("JSON.stringify(lettermillCatalogue())", browser) as string;
  expect(JSON.parse(given)).toEqual({ language, messages });
  expect(scriptPath).toMatch(/^\/texts\/de\.[0-9a-f]{12}\.js$/);
});

test("a language is chosen, else asked for by the browser, else English", () => {
  expect(dashboardLanguage("de", "en")).toBe("de");
  expect(dashboardLanguage("xx", "fr, de-CH;q=0.5")).toBe("de");
  expect(dashboardLanguage(undefined, "en-GB, de;q=0.5")).toBe("en");
  expect(dashboardLanguage(undefined, undefined)).toBe("en");
});
