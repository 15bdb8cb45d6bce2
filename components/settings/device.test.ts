import { expect, test } from "vitest";
import { deviceOf, programOf } from "./device";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0 Safari/537.36 Edg/147.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15",
    "Safari on macOS",
  ],
  ["curl/8.5.0", "An unknown browser"],
  ["", "An unknown browser"],
])("%s is %s", (userAgent, words) => {
  expect(deviceOf(userAgent)).toBe(words);
});

test("a program that is no browser goes by the name it gives itself", () => {
  expect(programOf("curl/8.5.0 (x86_64)")).toBe("curl/8.5.0");
  expect(programOf("Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0")).toBe(
    "Firefox on Linux",
  );
});
