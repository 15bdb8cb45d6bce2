import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether this is the browser, and no longer the first paint, which must be the server's. */
export const useInBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
