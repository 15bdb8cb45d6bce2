import { z } from "zod";
import { changePassword } from "@/lib/domain/users/change-password";
import {
  passwordChange,
  passwordChanged,
  proof,
  recoveryCodeList,
  secondFactor,
  secondFactorSetup,
  typedCode,
} from "@/lib/domain/users/schema";
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from "@/lib/domain/users/second-factor";
import { operation } from "@/lib/doors/http/surface/operation";

const shared = {
  tag: "Two-step sign-in",
  rate: "api",
  sessionOnly: true,
  beforeTwoStep: true,
  access: "viewer",
  successStatuses: [200],
} as const;

/** A person's own authenticator app, what replaces it when it is lost, and their password. */
export const secondFactorOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/second-factor",
    name: "getSecondFactor",
    summary: "Get your two-step sign-in",
    answer: secondFactor,
    run: async (ctx) => ({ status: 200, body: await getSecondFactor(ctx) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/second-factor/begin",
    name: "beginSecondFactor",
    summary: "Make a secret for your authenticator app",
    answer: secondFactorSetup,
    errors: ["CONFLICT"],
    run: async (ctx) => ({ status: 200, body: await beginSecondFactor(ctx) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/second-factor/confirm",
    name: "confirmSecondFactor",
    summary: "Switch your two-step sign-in on",
    body: z.strictObject({ code: typedCode }),
    answer: recoveryCodeList,
    run: async (ctx, { body }) => ({ status: 200, body: await confirmSecondFactor(ctx, body) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/second-factor/recovery-codes",
    name: "renewRecoveryCodes",
    summary: "Make new recovery codes",
    body: proof,
    answer: recoveryCodeList,
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 200, body: await renewRecoveryCodes(ctx, body) }),
  }),
  operation({
    ...shared,
    beforeTwoStep: false,
    method: "post",
    path: "/v1/password",
    name: "changePassword",
    summary: "Change your password",
    body: passwordChange,
    answer: passwordChanged,
    run: async (ctx, { body }) => ({ status: 200, body: await changePassword(ctx, body) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/second-factor/disable",
    name: "disableSecondFactor",
    summary: "Switch your two-step sign-in off",
    body: proof,
    successStatuses: [204],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => {
      await disableSecondFactor(ctx, body);
      return { status: 204 };
    },
  }),
] as const;
