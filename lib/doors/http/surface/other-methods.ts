import { AppError } from "@/lib/ground/errors";
import { newRequestId } from "@/lib/ground/ids/request-id";
import { errorResponse } from "./errors";

/** 405 for an address that takes the methods of `allow` alone: Next's own answer names none. */
export function refuseOtherMethods(allow: string): (request: Request) => Response {
  return (request) => {
    const { pathname } = new URL(request.url);
    const message = `${pathname} does not take ${request.method}. Allowed: ${allow}.`;
    return errorResponse(new AppError("METHOD_NOT_ALLOWED", message), newRequestId(), { allow });
  };
}
