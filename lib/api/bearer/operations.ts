import { apiKeyOperations } from "./api-keys";

/** Every operation of the bearer surface. What is not in here does not exist. */
export const bearerOperations = [...apiKeyOperations] as const;

export type BearerOperation = (typeof bearerOperations)[number];
