import { apiKeyOperations } from "./api-keys";
import { emailOperations } from "./emails";
import { overviewOperations } from "./overview";

/** Every operation of the bearer surface. What is not in here does not exist. */
export const bearerOperations = [
  ...emailOperations,
  ...apiKeyOperations,
  ...overviewOperations,
] as const;

export type BearerOperation = (typeof bearerOperations)[number];
