import { apiKeyOperations } from "./api-keys";
import { broadcastOperations } from "./broadcasts";
import { contactOperations } from "./contacts";
import { domainOperations } from "./domains";
import { emailOperations } from "./emails";
import { segmentOperations } from "./segments";
import { topicOperations } from "./topics";

/** Every operation of the surface for Resend's clients. What is not in here does not exist. */
export const resendOperations = [
  ...emailOperations,
  ...domainOperations,
  ...apiKeyOperations,
  ...contactOperations,
  ...segmentOperations,
  ...broadcastOperations,
  ...topicOperations,
] as const;
