import { monotonicMs } from '../../src/clock.ts';
import { median } from '../../src/statistics.ts';
import { Connection } from './connection.ts';

/** The number of concurrent connections. */
const CONNECTIONS = 64;

/** The result of sending load to a server. */
export interface Load {
  requests: number;
  per_s: number;
  latencies_ms: number[];
}

/** The result of load at a given rate. */
export interface PacedLoad extends Load {
  /** How late the generator noticed each due request. */
  late_ms: number[];
}

/**
 * A line for the table: the share of `asked_per_s` that was answered in time.
 *
 * If it is far below 100 %, server or machine were overloaded, and latencies show only that.
 */
export function keptUp(answered_per_s: readonly number[], asked_per_s: number): [string, string] {
  return ['answered in time', `${((100 * median(answered_per_s)) / asked_per_s).toFixed(0)} % of it`];
}

/** The load generator of one server: a fixed number of connections, each with one request at a time. */
export class Driver {
  private constructor(private readonly connections: Connection[]) {}

  static async connect(address: string): Promise<Driver> {
    const opening = Array.from({ length: CONNECTIONS }, () => Connection.open(address));
    return new Driver(await Promise.all(opening));
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }

  /**
   * Sends as many requests as the server handles: each connection sends the next request after the answer to the
   * last.
   * @param requests_min continues beyond the duration until this number of requests was sent
   */
  full(duration_ms: number, next: () => string, requests_min = 0): Promise<Load> {
    const start_ms = monotonicMs();
    const latencies_ms: number[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<Load>();
    let open = this.connections.length;
    let sent = 0;
    const turn = (connection: Connection): void => {
      const sent_ms = monotonicMs();
      if (sent_ms - start_ms >= duration_ms && sent >= requests_min) {
        open--;
        if (open === 0) resolve(loadOf(latencies_ms, sent_ms - start_ms));
        return;
      }
      const onAnswer = (status: number, body: string) => {
        latencies_ms.push(monotonicMs() - sent_ms);
        if (status === 200) turn(connection);
        else reject(new Error(`answered ${status}: ${body}`));
      };
      sent++;
      connection.send(next(), false, onAnswer, reject);
    };
    for (const connection of this.connections) turn(connection);
    return promise;
  }

  /**
   * Sends `per_s` requests per second, evenly spaced to a millisecond.
   *
   * It sleeps between requests, to leave the machine's cores to the server. A latency counts from the moment at which
   * the generator noticed that the request was due, even if no connection was free. So waiting for the server counts,
   * and the generator's own delay (`late_ms`) does not.
   */
  paced(duration_ms: number, per_s: number, next: () => string): Promise<PacedLoad> {
    const start_ms = monotonicMs();
    const interval_ms = 1000 / per_s;
    const idle = [...this.connections];
    const latencies_ms: number[] = [];
    const late_ms: number[] = [];
    /** The due times of requests that wait for a connection. */
    const waiting: number[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<PacedLoad>();
    let due_ms = start_ms;
    let failed = false;
    const sendWaiting = (): void => {
      while (waiting.length > 0) {
        const connection = idle.pop();
        if (connection === undefined) return;
        send(connection, waiting.shift() ?? 0);
      }
    };
    const send = (connection: Connection, since_ms: number): void => {
      const onAnswer = (status: number, body: string) => {
        latencies_ms.push(monotonicMs() - since_ms);
        idle.push(connection);
        if (status !== 200) fail(new Error(`answered ${status}: ${body}`));
        else sendWaiting();
      };
      connection.send(next(), false, onAnswer, fail);
    };
    const fail = (error: Error): void => {
      failed = true;
      reject(error);
    };
    const tick = (): void => {
      if (failed) return;
      const now_ms = monotonicMs();
      for (; due_ms <= now_ms && due_ms - start_ms < duration_ms; due_ms += interval_ms) {
        waiting.push(now_ms);
        late_ms.push(now_ms - due_ms);
      }
      sendWaiting();
      const over = due_ms - start_ms >= duration_ms && idle.length === this.connections.length;
      if (over) resolve({ ...loadOf(latencies_ms, now_ms - start_ms), late_ms });
      else setTimeout(tick, 1);
    };
    tick();
    return promise;
  }

  /** Sends one request on the first connection and returns the body. */
  ask(request: string): Promise<string> {
    return askOn(this.connections[0], request);
  }

  /** Sends one request on each connection, because Bun closes connections without any request within seconds. */
  async askOnAll(request: string): Promise<void> {
    await Promise.all(this.connections.map((connection) => askOn(connection, request)));
  }
}

function askOn(connection: Connection, request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const onAnswer = (status: number, body: string) => {
    if (status === 200) resolve(body);
    else reject(new Error(`answered ${status}: ${body}`));
  };
  connection.send(request, true, onAnswer, reject);
  return promise;
}

function loadOf(latencies_ms: number[], elapsed_ms: number): Load {
  return { requests: latencies_ms.length, per_s: (latencies_ms.length / elapsed_ms) * 1000, latencies_ms };
}
