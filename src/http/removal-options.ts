import { Refusal } from '../ingest/records/refusal.ts';
import { seconds } from '../ingest/records/time.ts';
import type { RemovalOptions } from '../ingest/removals.ts';
import { optionalInQuery, wrongParameter } from './request-url.ts';

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** A time zone whose `+` was not percent-encoded and so became a blank. */
const BLANK_ZONE = /(:\d\d(?:\.\d+)?) (\d\d(?::?\d\d)?)$/;

/** Parses the query of a deletion. @throws ServiceError `invalid_value` */
export function removalOptions(request: Pick<Request, 'url'>): RemovalOptions {
  const options: RemovalOptions = {};
  const timestamp = optionalInQuery(request, 'timestamp');
  if (timestamp !== undefined) options.timestamp = timeOf('timestamp', timestamp);
  const keep_items = optionalInQuery(request, 'keep_items');
  if (keep_items !== undefined) options.keep_items = flagOf('keep_items', keep_items);
  return options;
}

function flagOf(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw wrongParameter(name, 'expected true or false');
  return text === 'true';
}

/** Parses a time of a query, in the forms that records allow. */
function timeOf(name: string, text: string): number {
  const time = seconds(NUMBER.test(text) ? Number(text) : text.replace(BLANK_ZONE, '$1+$2'));
  if (time instanceof Refusal)
    throw wrongParameter(name, time.faults.map(({ message }) => message).join('; '));
  return time;
}
