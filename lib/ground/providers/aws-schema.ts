/** A region as AWS names it. Host names are made of it, so nothing else may pass. */
export const awsRegion =
  /^(af|ap|ca|eu|il|me|mx|sa|us)(-gov)?-(central|(north|south)?(east|west)|north|south)-[1-9]$/;

const topic = /^arn:aws(?:-us-gov)?:sns:([a-z0-9-]{1,30}):\d{12}:[\w-]{1,256}$/;

/** The region of a topic of Amazon SNS; null: this is no topic's ARN. */
export function regionOfTopic(arn: string): string | null {
  const region = topic.exec(arn)?.[1] ?? "";
  return awsRegion.test(region) ? region : null;
}

export const isTopicArn = (text: string): boolean => regionOfTopic(text) !== null;
