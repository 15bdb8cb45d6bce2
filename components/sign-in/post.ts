import { ApiError } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";

interface Envelope {
  error?: { code: string; message: string; details?: { path: string; message: string }[] };
  requestId?: string;
}

/** Posts JSON to one of the endpoints of signing in and consent. Throws ApiError. Browser only. */
export async function post<Answer>(path: string, body: Record<string, unknown>): Promise<Answer> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new ApiError(0, "UNREACHABLE", t("The server cannot be reached."), [], undefined);
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as Answer;
  const { error, requestId } = (answer ?? {}) as Envelope;
  throw new ApiError(
    response.status,
    error?.code ?? "INTERNAL_ERROR",
    error?.message ?? t("The server answered {status}.", { status: String(response.status) }),
    error?.details ?? [],
    requestId,
  );
}
