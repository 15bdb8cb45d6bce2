import { describe, expect, it } from "vitest";
import { connectionInput, type Connection } from "@/lib/domain/connections/schema";
import { choicesFor, draftOf, emptyDraft, inputOf } from "./connection-draft";

const ses = {
  ...{ kind: "ses", name: "Frankfurt", sessions: 5, standard: false, fallbackId: null },
  ...{ region: "eu-central-1", accessKeyId: "AKIAIOSFODNN7EXAMPLE" },
  ...{ configurationSet: null, topicArn: null },
} as Connection;
const mx = {
  ...{ kind: "mx", name: "Straight", sessions: 5, standard: false, fallbackId: null },
  ...{ tls: "opportunistic", messagesPerMinute: null },
} as Connection;

describe("a connection's draft", () => {
  it("holds each choice under the API's name, so that the form opens unchanged and its faults clear", () => {
    expect(draftOf(ses).region).toBe("eu-central-1");
    expect(inputOf(draftOf(ses))).toMatchObject({ region: "eu-central-1" });
    expect(draftOf(mx).tls).toBe("opportunistic");
    expect(inputOf(draftOf(mx))).toMatchObject({ tls: "opportunistic", messagesPerMinute: null });
    const paced = draftOf({ ...mx, messagesPerMinute: 600 } as Connection);
    expect(paced.messagesPerMinute).toBe("600");
    expect(inputOf(paced)).toMatchObject({ messagesPerMinute: 600 });
  });

  it("begins with choices of the kind, whatever was chosen for another", () => {
    const of = (...kinds: Connection["kind"][]) =>
      inputOf(
        kinds.reduce((draft, kind) => ({ ...draft, ...choicesFor(kind) }), {
          ...emptyDraft,
          name: "First",
        }),
      );
    expect(connectionInput.safeParse(of("smtp", "mx")).success).toBe(true);
    expect(of("mx", "smtp")).toMatchObject({ tls: "required" });
    expect(of("ses", "mailgun")).toMatchObject({ region: "us" });
    expect(of("mailgun", "ses")).toMatchObject({ region: "" });
  });
});
