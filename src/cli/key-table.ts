import { systemClock } from '../clock.ts';
import { printable } from '../printable.ts';
import type { KeyRecord } from '../store/keys.ts';

const COLUMNS = ['id', 'account', 'name', 'scopes', 'created', 'last_use', 'expires', 'state'];

/** A header line and a line per key, in columns separated by tabs. */
export function keyTable(keys: readonly KeyRecord[]): string {
  const now = systemClock.now();
  const lines = keys.map((key) =>
    [
      key.key_id,
      key.account,
      key.name,
      key.scopes.join(' '),
      isoTime(key.created_at),
      isoTime(key.last_used_at),
      isoTime(key.expires_at),
      stateOf(key, now),
    ].map(cell),
  );
  return [COLUMNS, ...lines].map((cells) => `${cells.join('\t')}\n`).join('');
}

function stateOf({ revoked_at, expires_at }: KeyRecord, now: number): string {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && now >= expires_at ? 'expired' : 'active';
}

/** A text without line breaks and tabs. */
function cell(text: string | null): string {
  return text === null || text === '' ? '-' : printable(text);
}

function isoTime(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}
