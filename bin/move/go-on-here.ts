import { openSource } from "./ends";
import { lockMove } from "./lock";
import { arrivalOf, setState } from "./states";

interface Broken {
  source: string;
  target: string;
  projectId: string;
  moveId: string;
  say: (step: string) => void;
}

/**
 * Lets a project whose move broke off go on at the source, unless it is open at the target. Asking waits for a
 * transaction that is still opening it there. If nobody answers, its mail waits, and it stays closed if it was.
 */
export async function goOnHere(broken: Broken): Promise<void> {
  const { projectId, moveId, say } = broken;
  const [source, target] = [openSource(broken.source), openSource(broken.target)];
  try {
    await lockMove(source, projectId);
    const arrival = await arrivalOf(target, projectId);
    if (arrival?.moveId !== moveId) say("another command has ended this move");
    else if (arrival.state === "arriving") {
      await setState(source, projectId, "copying");
      say("open here again");
    } else say("open at the target: the same command again ends the move here");
  } catch {
    say("its mail waits, and nobody knows whether the target is open: run the same command again");
  } finally {
    await Promise.all([source.end({ timeout: 1 }), target.end({ timeout: 1 })]);
  }
}
