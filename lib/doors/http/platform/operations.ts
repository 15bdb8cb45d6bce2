import { campaignOperations } from "./campaigns";
import { fileOperations } from "./files";
import { listOperations } from "./lists";
import { loginOperations } from "./login";
import { notificationOperations } from "./notifications";
import { subscriberOperations } from "./subscribers";

/** Every operation of the platform surface. What is not in here does not exist. */
export const platformOperations = [
  ...loginOperations,
  ...listOperations,
  ...subscriberOperations,
  ...campaignOperations,
  ...fileOperations,
  ...notificationOperations,
] as const;
