import { z } from "zod";
import { database } from "@/db/client";
import { answerInvitation, listOwnInvitations } from "@/lib/domain/members/answers";
import type { OwnInvitation } from "@/lib/domain/members/schema";
import { clientAddress } from "@/lib/doors/http/surface/client-address";
import { originOf } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { validate } from "@/lib/ground/validate";
import { handleOwnWrite } from "./account";
import { findDashboardSession, type DashboardSession } from "./dashboard-session";
import { throttleLinks } from "./throttles";

const answer = z.strictObject({ id: z.string().max(100), accepts: z.boolean() });

/** `POST /api/auth/invitations {id, accepts}`: becomes a member, or lets the invitation go. */
export function answerOwnInvitation(request: Request): Promise<Response> {
  return handleOwnWrite(request, async (body, requestId) => {
    const input = validate(answer, body);
    const db = database();
    const address = clientAddress(request);
    await throttleLinks(db, address);
    const session = await findDashboardSession(request.headers);
    if (!session) throw new AppError("MISSING_AUTH", "Sign in first.");
    if (session.onlyProject) {
      throw new AppError(
        "NOT_ALLOWED",
        "You came by a link that opens one project alone: sign in with your address.",
      );
    }
    const origin = { ...originOf(address, request.headers), requestId };
    return { status: 200, body: await answerInvitation(db, session.user, input, origin) };
  });
}

/** The invitations that whoever is signed in has not answered. */
export const findOwnInvitations = ({ user, onlyProject }: DashboardSession) =>
  onlyProject ? Promise.resolve<OwnInvitation[]>([]) : listOwnInvitations(database(), user);
