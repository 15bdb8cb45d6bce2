import { apiKeyOperations } from "./api-keys";
import { contactOperations } from "./contacts";
import { domainOperations } from "./domains";
import { emailOperations } from "./emails";
import { segmentOperations } from "./segments";

/** Every operation of the surface for Resend's clients. What is not in here does not exist. */
export const resendOperations = [
  ...emailOperations,
  ...domainOperations,
  ...apiKeyOperations,
  ...contactOperations,
  ...segmentOperations,
] as const;
