import { expect, test } from "vitest";
import { deviceOf } from "./readers-words";

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15", "iPhone"],
  ["Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile Safari/537.36", "Android phone"],
  ["Mozilla/5.0 (Linux; Android 15; SM-X910) Safari/537.36", "Tablet"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15", "Mac"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) Outlook/16.0", "Windows"],
  [
    "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
    "Webmail, behind a proxy",
  ],
  ["", "Other"],
])("%s is %s", (agent, device) => expect(deviceOf(agent)).toBe(device));
