import { z } from "zod";
import { createProjectLoginLink } from "@/lib/domain/projects/platform-tokens";
import { operation } from "@/lib/doors/http/surface/operation";

const exampleToken = "k3vN8yQx1sZc5RtB0mLw7pHd2jFgU9aEoXiY4uTqK6n";

export const loginOperations = [
  operation({
    method: "post",
    path: "/login-token",
    name: "createLoginToken",
    summary: "Create a login link",
    description:
      "Signs in the token's user once, within 10 minutes, to the token's project only. The session ends when the token is replaced, and after 30 days at the latest. The link shows a button, and only pressing it signs in, so that link scanners do not use it up.",
    tag: "Login",
    access: "viewer",
    rate: "api",
    answer: z.object({ token: z.string(), url: z.string() }).meta({ id: "LoginToken" }),
    answerExample: {
      token: exampleToken,
      url: `https://mail.example.com/login/token/${exampleToken}`,
    },
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await createProjectLoginLink(ctx) }),
  }),
] as const;
