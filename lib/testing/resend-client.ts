import { Resend } from "resend";

interface Refusal {
  statusCode: number | null;
  name: string;
  message: string;
}

/** What a call of Resend's client answered; throws what it was refused with. */
export async function dataOf<Data>(
  answer: Promise<{ data: Data | null; error: Refusal | null }>,
): Promise<Data> {
  const { data, error } = await answer;
  if (error || data === null) throw new Error(`${error?.name}: ${error?.message}`);
  return data;
}

/** What a call of Resend's client was refused with. */
export async function errorOf(
  answer: Promise<{ data: unknown; error: Refusal | null }>,
): Promise<Refusal> {
  const { data, error } = await answer;
  if (!error) throw new Error(`It was not refused: ${JSON.stringify(data)}`);
  return error;
}

/** The official client, unchanged but for its base URL and key. */
export function resendClient(origin: string, key: string): Resend {
  return new Resend(key, { baseUrl: `${origin}/resend` });
}
