import { listOperations } from "./lists";
import { subscriberOperations } from "./subscribers";

/** Every operation of the platform surface. What is not in here does not exist. */
export const platformOperations = [...listOperations, ...subscriberOperations] as const;
