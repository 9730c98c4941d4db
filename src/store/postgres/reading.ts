import type { SQL } from 'bun';
import { type CompiledQuery, Kysely, type RawBuilder, sql } from 'kysely';
import { LIMITS } from '../../limits.ts';
import type { ReadPool } from '../read-queue.ts';
import type { Reading, ReadValues } from '../reading.ts';
import type { Tables, Value } from '../tables.ts';
import { dialect } from './dialect.ts';
import { leave, openPool } from './pool.ts';
import { seenSince } from './seen.ts';

/** The server cancels reads after the timeout, so that the connection is free for other reads. */
const WITH_TIMEOUT = { statement_timeout: LIMITS.store_patience_seconds * 1000 };

/** Runs compiled queries on a client and returns their rows as arrays of values. */
export function compiledValues(client: SQL): ReadValues {
  return async (query: CompiledQuery) =>
    (await client.unsafe(query.sql, [...query.parameters]).values()) as Value[][];
}

/** Passes the list as text, because Bun.SQL encodes parameters of JSON types a second time. */
const integersIn = (json: string): RawBuilder<number> =>
  sql<number>`(select value::bigint from json_array_elements_text(${json}::text::json))`;

export function readingBy(client: SQL): Reading {
  return {
    db: new Kysely<Tables>({ dialect: dialect(client) }),
    values: compiledValues(client),
    integersIn,
    seenSince,
  };
}

/** See `ReadPool`. Connections open at first use. */
export class RenewablePool implements ReadPool {
  private client: SQL;
  reading: Reading;

  constructor(
    private readonly url: string,
    readonly connections_max: number,
    private readonly schema: string | undefined,
  ) {
    this.client = this.open();
    this.reading = readingBy(this.client);
  }

  private open(): SQL {
    return openPool(this.url, this.connections_max, this.schema, WITH_TIMEOUT);
  }

  renew(): void {
    leave(this.client);
    this.client = this.open();
    this.reading = readingBy(this.client);
  }

  async close(options: { timeout: number }): Promise<void> {
    await this.client.close(options);
    await this.reading.db.destroy();
  }
}
