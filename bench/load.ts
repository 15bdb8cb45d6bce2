import { connect } from "node:net";

/*
 * Load in a process of its own: keep-alive connections that each have one request under way, written and
 * read by hand so that measuring costs little. Takes its orders, and answers, over the channel.
 */

interface LoadSize {
  port: number;
  connections: number;
  warmUpMs: number;
  measureMs: number;
}

export interface PostOrder extends LoadSize {
  path: string;
  key: string;
  /** JSON bodies; `{n}` in them becomes a number that differs from request to request. */
  body: string;
}

export interface GetOrder extends LoadSize {
  /** Requested in turn. */
  paths: string[];
  userAgent: string;
}

export type LoadOrder = PostOrder | GetOrder;

export interface LoadResult {
  requests: number;
  /** Answers other than 200 and 201, and 302 to GET, by status. */
  refused: Record<string, number>;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

let counter = 0;

function requestBytes(order: LoadOrder): string {
  if ("paths" in order) {
    const path = order.paths[counter++ % order.paths.length] ?? "/";
    return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: ${order.userAgent}\r\n\r\n`;
  }
  const body = order.body.replaceAll("{n}", () => String(++counter));
  return `POST ${order.path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${order.key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const latencies: number[] = [];
  const refused: Record<string, number> = {};
  const begin = performance.now() + order.warmUpMs;
  const end = begin + order.measureMs;
  await Promise.all(
    Array.from({ length: order.connections }, () =>
      oneConnection(order, begin, end, latencies, refused),
    ),
  );
  latencies.sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    requests: latencies.length,
    refused,
    seconds: order.measureMs / 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}

function oneConnection(
  order: LoadOrder,
  begin: number,
  end: number,
  latencies: number[],
  refused: Record<string, number>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(order.port, "127.0.0.1").setNoDelay(true);
    let sentAt = 0;
    let answer = "";
    const send = () => {
      sentAt = performance.now();
      socket.write(requestBytes(order));
    };
    socket.once("connect", send);
    socket.once("error", reject);
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      answer += chunk;
      const head = answer.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
      const complete = length
        ? answer.length >= head + 4 + Number(length)
        : answer.endsWith("\r\n0\r\n\r\n");
      if (!complete) return;
      const now = performance.now();
      const status = answer.slice(9, 12);
      answer = "";
      if (now > begin && now <= end) {
        latencies.push(now - sentAt);
        const good = /^20[01]$/.test(status) || (status === "302" && "paths" in order);
        if (!good) refused[status] = (refused[status] ?? 0) + 1;
      }
      if (now < end) return send();
      socket.end();
      resolve();
    });
  });
}

process.on("message", (order: LoadOrder) => {
  void run(order).then((result) => process.send?.({ result }));
});
process.send?.({ ready: true });
