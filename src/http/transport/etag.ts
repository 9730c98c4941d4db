import { Type } from '@sinclair/typebox';
import type { Precondition } from '../../feeds/saved-feeds.ts';
import type { Parameter } from './parameters.ts';

/** How the document shows the header of answers. */
export const ETAG = {
  etag: { description: 'The revision, in quotes.', schema: Type.String({ example: '"1"' }) },
};

/** How the document shows the header of requests. */
export const IF_MATCH: Record<string, Pick<Parameter<string>, 'schema' | 'is_required'>> = {
  'if-match': {
    schema: Type.String({
      description: 'Apply the request only if the object has this revision (the ETag). `*`: any revision.',
    }),
    is_required: false,
  },
};

export function etagOf(revision: number): string {
  return `"${revision}"`;
}

export const anyRevision: Precondition = () => true;

/** The condition of `If-Match`: one of several revisions, in quotes or without, or any (`*`). */
export function ifMatch(headers: Headers): Precondition {
  const header = headers.get('if-match')?.trim() ?? '';
  if (header === '' || header === '*') return anyRevision;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return (revision) => tags.includes(etagOf(revision)) || tags.includes(String(revision));
}
