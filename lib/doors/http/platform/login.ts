import { z } from "zod";
import { AppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { createLoginToken } from "@/lib/domain/users/login-tokens";
import { operation } from "@/lib/doors/http/surface/operation";

const exampleToken = "k3vN8yQx1sZc5RtB0mLw7pHd2jFgU9aEoXiY4uTqK6n";

export const loginOperations = [
  operation({
    method: "post",
    path: "/login-token",
    name: "createLoginToken",
    summary: "Create a login link",
    description:
      "Signs in the token's user, once, within 10 minutes, and opens the project. The link shows a button, and only pressing it signs in, so that link scanners do not use it up.",
    tag: "Login",
    access: "viewer",
    rate: "api",
    answer: z.object({ token: z.string(), url: z.string() }).meta({ id: "LoginToken" }),
    answerExample: {
      token: exampleToken,
      url: `https://mail.example.com/login/token/${exampleToken}`,
    },
    successStatuses: [200],
    run: async (ctx) => {
      if (ctx.actor.type !== "user") throw new AppError("NOT_ALLOWED", "The token has no user.");
      const link = await createLoginToken(ctx.db, {
        userId: ctx.actor.id,
        purpose: "login",
        redirectTo: `/dashboard/${encodeId("project", ctx.projectId)}`,
      });
      return { status: 200, body: link };
    },
  }),
] as const;
