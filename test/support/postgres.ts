import { SQL } from 'bun';
import { PASSWORD } from './postgres/server.ts';
import { sharedServer } from './postgres/shared.ts';

/** A real PostgreSQL for tests: one server for a test run, with a database of its own for each caller. */

interface Server {
  client: SQL;
  urlOf(database: string): string;
}

async function connect(port: number): Promise<Server> {
  const urlOf = (database: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`;
  return { urlOf, client: new SQL({ url: urlOf('postgres'), max: 1 }) };
}

/** Databases of a server, which is started once, when the first is asked for. */
export class Databases {
  private server?: Promise<Server>;
  private is_failure_known = false;

  /** @param start starts the server and resolves with its port */
  constructor(private readonly start: () => Promise<number>) {}

  /**
   * URL of a new, empty database. The first call waits for the start, a second or two.
   * @throws Error at once and for every caller when the server could not be started; the first one tells all about it
   */
  async fresh(): Promise<string> {
    this.server ??= this.start().then(connect);
    const [started] = await Promise.allSettled([this.server]);
    if (started.status === 'rejected') throw this.failure(String(started.reason?.message ?? started.reason));
    const { client, urlOf } = started.value;
    const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
    await client.unsafe(`create database ${name}`);
    return urlOf(name);
  }

  private failure(cause: string): Error {
    const told = this.is_failure_known ? `${cause.split('\n')[0]} (the first failure says more)` : cause;
    this.is_failure_known = true;
    return new Error(`PostgreSQL for tests did not start: ${told}`);
  }
}

const databases = new Databases(sharedServer);

/** URL of a new, empty database on the server that all tests of a run share. */
export function freshDatabase(): Promise<string> {
  return databases.fresh();
}
