import {
  getPlatformToken,
  revealPlatformToken,
  rotateOwnPlatformToken,
} from "@/lib/domain/projects/own-platform-token";
import { platformToken, platformTokenRevealed } from "@/lib/domain/projects/schema";
import { operation } from "@/lib/doors/http/surface/operation";

const shared = { tag: "Platform token", rate: "api", sessionOnly: true, access: "viewer" } as const;

export const platformTokenOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/platform-token",
    name: "getPlatformToken",
    // It makes the token of whoever has none.
    reads: "primary",
    summary: "Get your platform token, without its text",
    answer: platformToken,
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await getPlatformToken(ctx) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/platform-token/reveal",
    name: "revealPlatformToken",
    summary: "Show your platform token",
    answer: platformTokenRevealed,
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await revealPlatformToken(ctx) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/platform-token/rotate",
    name: "rotatePlatformToken",
    summary: "Replace your platform token",
    answer: platformTokenRevealed,
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await rotateOwnPlatformToken(ctx) }),
  }),
] as const;
