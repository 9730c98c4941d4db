import { StartupError } from '../errors.ts';
import type { FeedObject } from '../feeds/feed-object.ts';
import type { Generator } from './generator.ts';

/** Limits of `app.bsky.feed.generator`. Bytes are of UTF-8. */
const NAME_MAX = { graphemes: 24, bytes: 240 };
const DESCRIPTION_MAX = { graphemes: 300, bytes: 3_000 };

/** A record of `app.bsky.feed.generator`. */
export interface GeneratorRecord {
  $type: 'app.bsky.feed.generator';
  did: string;
  displayName: string;
  description?: string;
  acceptsInteractions: true;
  createdAt: string;
}

/**
 * The record that publishes a saved feed on Bluesky. Its name is `short_name`, or else `name`.
 * @param created_at seconds
 * @throws StartupError `bad_feed` if the name is too long. A description that is too long is cut.
 */
export function generatorRecordOf(
  { did }: Pick<Generator, 'did'>,
  { name, short_name, description }: Pick<FeedObject, 'name' | 'short_name' | 'description'>,
  created_at: number,
): GeneratorRecord {
  const displayName = (short_name ?? '').trim() === '' ? name : (short_name ?? name);
  if (cut(displayName, NAME_MAX) !== displayName)
    throw new StartupError(
      'bad_feed',
      `'${displayName}' is too long for Bluesky: a name has at most ${NAME_MAX.graphemes} characters and ${NAME_MAX.bytes} bytes`,
      'Save the feed with a short_name.',
    );
  return {
    $type: 'app.bsky.feed.generator',
    did,
    displayName,
    ...(description === '' ? {} : { description: cut(description, DESCRIPTION_MAX) }),
    acceptsInteractions: true,
    createdAt: new Date(created_at * 1000).toISOString(),
  };
}

/** The start of a text, without cutting what a reader sees as one character. */
function cut(text: string, { graphemes, bytes }: typeof NAME_MAX): string {
  let kept = '';
  let count = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (++count > graphemes || Buffer.byteLength(kept + segment) > bytes) break;
    kept += segment;
  }
  return kept;
}
