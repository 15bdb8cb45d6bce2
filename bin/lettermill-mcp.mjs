#!/usr/bin/env node
import "tsx";

await import("./mcp.ts");
