import { AppError } from "@/lib/ground/errors";
import { errorResponse } from "./errors";
import { requestIdOf } from "./request-record";

/** 405 for an address that takes only the methods of `allow`: Next's own answer names none. */
export function refuseOtherMethods(allow: string): (request: Request) => Response {
  return (request) => {
    const { pathname } = new URL(request.url);
    const message = `${pathname} does not take ${request.method}. Allowed: ${allow}.`;
    const error = new AppError("METHOD_NOT_ALLOWED", message);
    return errorResponse(error, requestIdOf(request), { allow });
  };
}
