import NextAuth from "next-auth/next";
import type { NextRequest } from "next/server";
import { signInOptions } from "@/lib/doors/http/sign-in/sign-in";

export const dynamic = "force-dynamic";

interface Route {
  params: Promise<{ nextauth: string[] }>;
}

async function handle(request: NextRequest, route: Route): Promise<Response> {
  return (await NextAuth(request, route, signInOptions())) as Response;
}

export { handle as GET, handle as POST };
