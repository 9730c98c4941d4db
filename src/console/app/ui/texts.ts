/** Numbers, names and sentences as people read them. */

const WHOLE = new Intl.NumberFormat('en');
const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** `1,234` */
export function whole(count: number): string {
  return WHOLE.format(count);
}

/** `1 post`, `1,234 posts` */
export function counted(count: number, word: string): string {
  return `${whole(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** `12.3%` */
export function percent(share: number): string {
  return SHARE.format(share);
}

/** Short numbers: `0.61`, and `0.0087` where two decimals would be nothing. */
export function shortNumber(value: number): string {
  const decimals = Math.abs(value) >= 0.1 || value === 0 ? 2 : 4;
  // The minus sign of print, which screen readers read out.
  return value.toFixed(decimals).replace('-', '−');
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The beginning of a text. */
export function shortened(text: string, length_max: number): string {
  return text.length <= length_max ? text : `${text.slice(0, length_max)}…`;
}

/** What a language is called. Codes that are not well-formed stay as they are. */
export function languageName(code: string): string {
  try {
    return LANGUAGES.of(code) ?? code;
  } catch {
    return code;
  }
}

/** What a channel is called: the last part of its address. */
export function channelName(channel: string): string {
  return channel.split('/').findLast((part) => part !== '') ?? channel;
}

/** Where an item of a page comes from, in plain words. @param source_feed such as `fallback_main_1:feed_2` */
export function sourceText(source_feed: string, promotion_name?: string): string {
  const colon = source_feed.indexOf(':');
  const [kind, feed] = [source_feed.slice(0, colon), source_feed.slice(colon + 1)];
  const fallback = /^fallback_main_(\d+)$/.exec(kind)?.[1];
  if (kind === 'main') return 'This feed';
  if (kind === 'cold_start') return `Cold start ${feed}`;
  if (kind === 'promotion') return `Promoted by ${promotion_name ?? feed}`;
  if (kind === 'fallback_global') return 'Popular in the network';
  if (kind === 'seen') return 'Seen before';
  return fallback === undefined ? source_feed : `Fallback ${fallback}, ${feed}`;
}

/** A reason of the service as a sentence. */
export function sentence(text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return ended.slice(0, 1).toUpperCase() + ended.slice(1);
}

/** Texts in backticks and quotes are names. */
const NAMES = /(`[^`]*`|'[^']*')/;

/** A text of the API in the words of the console: an item is a post. Names in it stay as they are. */
export function inConsoleWords(text: string): string {
  return text
    .split(NAMES)
    .map((part, at) => (at % 2 === 1 ? part : withPosts(part)))
    .join('');
}

function withPosts(text: string): string {
  return text
    .replace(/\b([Aa])n item\b/g, '$1 post')
    .replace(/\bitem(s?)\b/g, 'post$1')
    .replace(/\bItem(s?)\b/g, 'Post$1');
}
