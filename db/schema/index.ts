export * from "./api-keys";
export * from "./contacts";
export * from "./domains";
export * from "./emails";
export * from "./projects";
export * from "./templates";
export * from "./users";
export * from "./work";
