import { Letter } from "./letter";

export const webhookDisabledSubject = "A webhook was switched off";

/** Tells the owners of a project that one of its endpoints no longer gets events. */
export function WebhookDisabled(props: {
  project: string;
  endpoint: string;
  reason: string;
  url: string;
}) {
  return (
    <Letter
      title="A webhook was switched off"
      preview={`${props.endpoint} no longer receives events.`}
      text={
        <>
          The {props.project} webhook at {props.endpoint} no longer receives events. {props.reason}{" "}
          Once the endpoint is working again, switch the webhook back on. You can retry failed
          deliveries from its log for 30 days.
        </>
      }
      action={{ label: "View webhook", url: props.url }}
      foot="You are receiving this because you are an owner of this project."
    />
  );
}
