import { expect, test } from 'bun:test';
import { ConnectionGuard } from '../../../src/http/guards/connection-guard.ts';
import type { Connection, Descriptors } from '../../../src/http/guards/descriptors.ts';

const LIMIT = 200;
const PORT = 3000;

/** Descriptors of which connections take one each, and others some. */
class Counted implements Descriptors {
  readonly limit = LIMIT;
  readonly hung_up: number[] = [];
  others = 10;
  connections: Connection[] = [];

  isShortOf(count: number): boolean {
    return this.limit - this.others - this.connections.length < count;
  }
  connectionsTo(port: number): Connection[] {
    return port === PORT ? [...this.connections] : [];
  }
  hangUp(connection: Connection): void {
    this.hung_up.push(connection.descriptor);
    this.connections = this.connections.filter((each) => each !== connection);
  }
}

interface Look {
  after_seconds: number;
  run(): void;
}

function guarding() {
  const descriptors = new Counted();
  const looks: Look[] = [];
  const lines: object[] = [];
  const timers = {
    after(after_seconds: number, run: () => void) {
      looks.push({ after_seconds, run });
      return () => looks.splice(0);
    },
  };
  const log = { warn: (line: object) => void lines.push(line) };
  const busy = new Set<number>();
  let now_ms = 0;
  const monotonic = () => now_ms;
  const guard = new ConnectionGuard(descriptors, [PORT, PORT + 1], log, {
    busyPorts: () => busy,
    timers,
    monotonic,
  });
  const end = guard.begin();
  /** Passes the time until the next look. */
  const look = () => {
    const next = looks.shift();
    if (next === undefined) throw new Error('nothing is planned');
    now_ms += next.after_seconds * 1000;
    next.run();
    return next.after_seconds;
  };
  return { descriptors, guard, busy, look, looks, lines, end };
}

const idle = (descriptor: number, idle_ms: number): Connection => ({
  descriptor,
  peer_port: 10_000 + descriptor,
  idle_ms,
});

test('no connection is closed while enough descriptors are free', () => {
  const { descriptors, guard, look } = guarding();
  descriptors.connections = Array.from({ length: 150 }, (_, at) => idle(at, 1e6));
  for (let round = 0; round < 5; round++) look();
  expect([guard.closed, descriptors.connections.length]).toEqual([0, 150]);
});

test('the connections idle for longest are closed, and only as many as needed', () => {
  const { descriptors, guard, look } = guarding();
  descriptors.connections = Array.from({ length: 180 }, (_, at) => idle(at, 1_000 + at));
  look();
  expect(descriptors.hung_up).toEqual(Array.from({ length: 50 }, (_, at) => 179 - at));
  look();
  expect([guard.closed, descriptors.connections.length]).toEqual([50, 130]);
});

test('the next check is sooner while connections wait to be accepted, and later ones are as rare as before', () => {
  const { descriptors, look } = guarding();
  descriptors.connections = Array.from({ length: 190 }, (_, at) => idle(at, 5_000));
  const first = look();
  descriptors.connections.push(...Array.from({ length: 20 }, (_, at) => idle(1_000 + at, 4_000)));
  descriptors.others += 40;
  const second = look();
  const third = look();
  expect(second).toBeLessThan(first / 10);
  expect(third).toBe(second);
  expect(look()).toBe(first);
});

test('a connection with recent traffic is kept even if descriptors are short', () => {
  const { descriptors, guard, look } = guarding();
  descriptors.others = 195;
  descriptors.connections = [idle(1, 0), idle(2, 10), idle(3, 19), idle(4, 20)];
  look();
  look();
  expect([guard.closed, descriptors.hung_up]).toEqual([1, [4]]);
});

test('a connection with a request under way is kept, however long it is silent', () => {
  const { descriptors, busy, look } = guarding();
  descriptors.connections = Array.from({ length: 190 }, (_, at) => idle(at, 60_000));
  for (let at = 0; at < 185; at++) busy.add(10_000 + at);
  look();
  expect(descriptors.hung_up.toSorted()).toEqual([185, 186, 187, 188, 189]);
});

test('the log reports closed connections at intervals, with the number of suppressed lines', () => {
  const { descriptors, look, lines } = guarding();
  for (let round = 0; round < 50; round++) {
    descriptors.connections = Array.from({ length: 190 }, (_, at) => idle(at, 5_000));
    look();
  }
  expect(lines).toEqual([{ closed: 50, limit: LIMIT, unlogged: undefined }]);
});

test('no check runs after the guard has stopped', () => {
  const { looks, end } = guarding();
  expect(looks).toHaveLength(1);
  end();
  expect(looks).toHaveLength(0);
});
