import { TEST_NOW } from 'feedloom/plugin/testing';
import bluesky from '../../../plugins/integrations/bluesky.ts';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { NO_MAPS } from '../../support/no-maps.ts';

/** Runs the connector until it fails. Returns its error, its emits and its warnings. */
export async function runOn(
  options: Partial<Parameters<NonNullable<typeof bluesky.connect>>[0]>,
  cursor?: string,
) {
  const run = bluesky.connect!(
    { url: '', collections: ['posts'], dids: [], lists: [], back_hours: 0, ...options },
    NO_MAPS,
  );
  const cursors: string[] = [];
  const warnings: string[] = [];
  const records: ConnectorRecord[] = [];
  const warn = (fields: unknown, text?: string) => void warnings.push(`${JSON.stringify(fields)} ${text}`);
  const emit = async (emitted: readonly ConnectorRecord[], behind: string) => {
    records.push(...emitted);
    cursors.push(behind);
    return { accepted: emitted.length, rejected_count: 0, rejected: [] };
  };
  const host = {
    ...{ cursor, emit, signal: new AbortController().signal, clock: { now: () => TEST_NOW } },
    log: { info: () => {}, warn, error: () => {} },
    warning() {},
    async *current() {},
  };
  const error = await run(host).then(
    () => undefined,
    (reason: unknown) => String(reason),
  );
  return { error, cursors, warnings, records };
}
