import { expect, test } from "vitest";
import { webhookEvents } from "@/lib/ground/events/names";
import { eventSchemas } from "./event-schemas";
import { sampleData } from "./samples";

test.each(webhookEvents)("the sample of %s is what its schema says, and `test`", (event) => {
  const { test: isTest, ...data } = sampleData(event, new Date());
  expect(isTest).toBe(true);
  expect(eventSchemas[event].strict().safeParse(data)).toMatchObject({ success: true });
});
