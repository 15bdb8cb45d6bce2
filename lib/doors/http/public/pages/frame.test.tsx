/** @jsxImportSource hono/jsx */
import { Hono } from "hono";
import { expect, test } from "vitest";
import english from "@/lib/ground/texts/languages/en.json";
import { makeTexts } from "@/lib/ground/texts/texts";
import { htmlFaults } from "@/lib/testing/valid-html";
import { answerPage } from "./frame";
import { logoRules, styleOf } from "./style";

test("a language written from right to left turns the page over", async () => {
  const app = new Hono();
  const visitor = { texts: makeTexts("ar", english), chosen: null, path: "/" };
  app.get("/", (c) => answerPage(c, { visitor, brand: null, title: "عنوان" }));
  const html = await (await app.request("/")).text();
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(await htmlFaults(html)).toEqual([]);
});

test("HTML that is not valid is found out", async () => {
  expect(
    await htmlFaults("<!doctype html><html lang=en><title>x</title><p id=a><div id=a>"),
  ).not.toEqual([]);
});

test("the style names no left and no right", () => {
  expect(styleOf("#123456") + logoRules("#123456")).not.toMatch(
    /\b(left|right)\b|[^-]\b(width|height)\s*:|margin-(top|bottom)/,
  );
});

test("text on a project's colour can be read, dark or light", () => {
  expect(styleOf("#ffee00")).toContain("--accent: #ffee00; --on-accent: #000000");
  expect(styleOf("#0b2a5b")).toContain("--accent: #0b2a5b; --on-accent: #ffffff");
  expect(styleOf(null)).not.toContain(":root:root");
});
