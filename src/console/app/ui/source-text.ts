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
