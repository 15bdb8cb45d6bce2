import { expect, test } from "vitest";
import { croppedName, croppedType, nameAt, pixelArea } from "./crop-area";

const natural = { width: 1001, height: 500 };

test.each([
  [
    { x: 0, y: 0, width: 100, height: 100 },
    { x: 0, y: 0, width: 1001, height: 500 },
  ],
  [
    { x: 25, y: 50, width: 50, height: 50 },
    { x: 250, y: 250, width: 501, height: 250 },
  ],
  [
    { x: 100, y: 99.99, width: 0, height: 0 },
    { x: 1000, y: 499, width: 1, height: 1 },
  ],
  [
    { x: 60, y: -1, width: 60, height: 10 },
    { x: 601, y: 0, width: 400, height: 45 },
  ],
])("%j of an image are %j of its pixels", (area, pixels) => {
  expect(pixelArea(area, natural)).toEqual(pixels);
});

test("a part of a file has a name and type of its own, and what may move is left alone", () => {
  expect([croppedName("photo.jpeg"), croppedType("photo.jpeg")]).toEqual([
    "photo-cropped.jpg",
    "image/jpeg",
  ]);
  expect([croppedName("a.b-cropped.WEBP"), croppedType("a.WEBP")]).toEqual([
    "a.b-cropped.png",
    "image/png",
  ]);
  expect(croppedType("dance.gif")).toBeNull();
  expect(croppedType("none")).toBeNull();
});

test.each([
  ["https://example.com/f/Caf%C3%A9%20%28new%29.png", "Café (new).png"],
  ["https://example.com/f/100%.png?v=2", "100%.png"],
  ["https://example.com/", ""],
])("the file at %s is called %j", (address, name) => {
  expect(nameAt(new URL(address))).toBe(name);
});
