import { Type } from '@sinclair/typebox';
import type { Precondition } from '../../feeds/saved-feeds.ts';

export const IF_MATCH = Type.Object(
  {
    'if-match': Type.Optional(
      Type.String({
        description: 'Apply the request only if the object has this revision (the ETag). `*`: any revision.',
      }),
    ),
  },
  { additionalProperties: true },
);

/** The condition of `If-Match`: one of several revisions, as in the ETag, or any (`*`). */
export function ifMatch(headers: Record<string, string | undefined>): Precondition {
  const header = headers['if-match']?.trim() ?? '';
  if (header === '' || header === '*') return () => true;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return (revision) => tags.includes(`"${revision}"`) || tags.includes(String(revision));
}
