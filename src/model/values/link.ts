import { grouped } from '../../plugin/list-of.ts';
import { LINK_LENGTH_MAX, lengthWithin } from './checks.ts';
import { Dropped, expected, type Refusal } from './refusal.ts';

const TOO_LONG = new Dropped(`a link of more than ${grouped(LINK_LENGTH_MAX)} characters was dropped`);
const NO_LINK = new Dropped('a link that is not an http(s) URL was dropped');

/** Checks an http(s) URL. Unpaired surrogates become U+FFFD, the rest stays as sent. */
export function link(value: unknown): string | Refusal | Dropped {
  if (typeof value !== 'string') return expected('an http(s) URL as a string', value);
  if (!lengthWithin(value, LINK_LENGTH_MAX)) return TOO_LONG;
  const url = value.toWellFormed();
  return isWebUrl(url) ? url : NO_LINK;
}

function isWebUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
