import { expect, it } from "vitest";
import type { ClaimedEmail } from "./claim";
import { resultOf } from "./result";

const attempt = (attempts: number) => ({ attempts, interrupted: 0 }) as ClaimedEmail;
const refusal = (text: string, stage: "recipient" | "message" = "message") =>
  ({ kind: "refused", stage, reply: { code: 554, enhancedCode: "5.7.1", text } }) as const;

it("a message that is refused bounces the third time, unless it is what a paused sender is tried with", () => {
  const outcome = refusal("Message rejected");
  expect([1, 2, 3].map((tries) => resultOf(attempt(tries), outcome).status)).toEqual([
    null,
    null,
    "BOUNCED",
  ]);
  expect(resultOf(attempt(30), outcome, true)).toMatchObject({
    status: null,
    sender: { refusal: "554 5.7.1 Message rejected" },
    commonRefusal: { kind: "refused" },
  });
  expect(resultOf(attempt(31), outcome, true)).toMatchObject({ status: "BOUNCED", suppress: null });
});

it("what a server says of a recipient or of a message for now tells nothing of the sender", () => {
  expect(resultOf(attempt(1), refusal("Not for this one", "recipient")).sender).toBeNull();
  const reply = { code: 450, enhancedCode: "4.2.0", text: "Busy" };
  expect(resultOf(attempt(1), { kind: "refused", stage: "message", reply })).toMatchObject({
    status: null,
    sender: null,
  });
  const ofSender = refusal("<a@b.c>: Sender address rejected: Access denied", "recipient");
  expect(resultOf(attempt(1), ofSender)).toMatchObject({
    status: null,
    suppress: null,
    sender: { refusal: expect.stringContaining("Access denied") as string },
  });
});

it("a server's words can be stored, whatever is in them and wherever they are cut off", () => {
  const { sender, commonRefusal } = resultOf(attempt(1), refusal(`Not\0 ${"😀".repeat(500)}`));
  const words = commonRefusal?.words ?? "";
  expect(sender).toEqual({ refusal: words });
  expect(words).toMatch(/^554 5\.7\.1 Not 😀/u);
  expect(words.isWellFormed()).toBe(true);
});
