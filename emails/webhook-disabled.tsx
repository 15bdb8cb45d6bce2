import { Letter } from "./letter";

export const webhookDisabledSubject = "A webhook was switched off";

/** To the owners of a project: one of its endpoints gets no events any more. */
export function WebhookDisabled(props: {
  project: string;
  endpoint: string;
  reason: string;
  url: string;
}) {
  return (
    <Letter
      title="A webhook was switched off"
      preview={`${props.endpoint} gets no events any more.`}
      text={
        <>
          The webhook of {props.project} at {props.endpoint} gets no events any more. {props.reason}{" "}
          Once the endpoint answers again, switch the webhook on. Deliveries that failed can be
          retried from its log for 30 days.
        </>
      }
      action={{ label: "Look at the webhook", url: props.url }}
      foot="You get this because you own the project."
    />
  );
}
