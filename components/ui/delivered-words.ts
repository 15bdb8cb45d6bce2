import { count, percent } from "./numbers";

interface Handed {
  /** Handed over to a mail server, which accepted it or refused it for good. */
  sent: number;
  delivered: number;
  bounced: number;
}

/**
 * What arrived, and of what that is a share. A server that accepts mail and sends no reports leaves it open
 * whether it arrived: that is neither 0 % nor 100 % delivered, and is said as what it is.
 */
export function deliveredFigure({ sent, delivered, bounced }: Handed): {
  value: string;
  note: string;
} {
  const accepted = Math.max(0, sent - delivered - bounced);
  if (sent === 0 && delivered === 0) return { value: "0", note: "nothing sent yet" };
  if (delivered === 0 && accepted > 0) {
    return { value: "–", note: `${count(accepted)} accepted, none confirmed yet` };
  }
  const share = `${percent(Math.min(1, delivered / Math.max(sent, delivered)))} of sent`;
  return {
    value: count(delivered),
    note: accepted === 0 ? share : `${share}, ${count(accepted)} accepted and not confirmed`,
  };
}

/** A share in a table; nothing to take it of: none. */
export const shareOf = (some: number, of: number) =>
  of === 0 ? "–" : percent(Math.min(1, some / of));

/** The share that arrived, in a table; none while it is open whether any did. */
export const deliveredShare = ({ sent, delivered, bounced }: Handed) =>
  delivered === 0 && bounced < sent ? "–" : shareOf(delivered, sent);
