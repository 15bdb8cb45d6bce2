"use client";

import { deferred } from "@/components/ui/deferred";
import { Elsewhere } from "./elsewhere";

/** Signing in is for few of the visits: its forms come after the page. */
export const SignInAgain = deferred(
  () => import("./sign-in-again").then((module) => module.SignInAgain),
  ({ instead }) => (instead ? null : <Elsewhere />),
);
