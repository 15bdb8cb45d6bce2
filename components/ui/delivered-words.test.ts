import { expect, test } from "vitest";
import {
  deliveredFigure,
  deliveredShare,
  providerBases,
  shareBase,
  shareOf,
} from "./delivered-words";

const handed = (sent: number, delivered: number, bounced = 0) => ({
  ...{ sent, delivered, bounced },
  deliveryConfirmed: delivered > 0,
});

test("mail that a server accepted and nobody confirmed is neither 0 % nor 100 % delivered", () => {
  expect(deliveredFigure(handed(1200, 0, 8))).toEqual({
    value: "–",
    note: "1,192 accepted, none confirmed yet",
  });
  expect(deliveredFigure(handed(1200, 300, 100))).toEqual({
    value: "300",
    note: "25% of sent, 800 accepted and not confirmed",
  });
  expect(deliveredShare(handed(1200, 0, 8))).toBe("–");
});

test("what only readers prove is no share of what was sent", () => {
  const unconfirmed = (sent: number, delivered: number) => ({
    ...handed(sent, delivered),
    deliveryConfirmed: false,
  });
  expect(deliveredFigure(unconfirmed(1200, 300))).toEqual({
    value: "300",
    note: "known to have arrived, 900 more accepted",
  });
  expect(deliveredFigure(unconfirmed(1, 1)).note).toBe("known to have arrived");
  expect(deliveredShare(unconfirmed(1200, 300))).toBe("–");
  expect(shareBase(unconfirmed(1200, 300))).toBe("accepted");
  expect(shareBase(handed(1200, 1200))).toBe("delivered");
});

test("a table of providers says what each column is a share of", () => {
  expect(providerBases({ deliveryConfirmed: true })).toBe(
    "Delivered and bounced are shares of what was sent; opens, clicks and complaints, of what was delivered.",
  );
  expect(providerBases({ deliveryConfirmed: false })).toMatch(/of what was accepted\.$/);
});

test("what is known of everybody is a plain share of what was sent", () => {
  expect(deliveredFigure(handed(200, 190, 10))).toEqual({ value: "190", note: "95% of sent" });
  expect(deliveredFigure(handed(10, 0, 10))).toEqual({ value: "0", note: "0% of sent" });
  expect(deliveredFigure(handed(0, 0))).toEqual({ value: "0", note: "nothing sent yet" });
  expect(deliveredShare(handed(10, 0, 10))).toBe("0%");
  expect(deliveredShare(handed(200, 190, 10))).toBe("95%");
});

test("reports that came before the sending was counted make no more than all of it", () => {
  expect(deliveredFigure(handed(3, 4)).note).toBe("100% of sent");
  expect(shareOf(4, 3)).toBe("100%");
  expect(shareOf(0, 0)).toBe("–");
});
