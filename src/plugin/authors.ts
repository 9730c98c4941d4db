import { type Static, Type } from '@sinclair/typebox';
import { InvalidOptions, readEach } from './invalid-options.ts';
import { NONE, type Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';

const FORMS =
  'one of three forms: a list of author ids, "following" (of the viewer), or "following:<user_id>"; not mixed';

/** Options of filters over authors, spec 1.1.1: a list, `following`, or `following:<user_id>`. */
export const AuthorForms = Type.Union(
  [Type.String(), Type.Array(Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Integer()]))],
  { description: FORMS, examples: [['12', '34'], 'following', 'following:12'] },
);

/**
 * The authors that the options mean, as of a request; undefined when they name none at all, which filters
 * nothing. A following list that is empty, or has no viewer, is an empty list.
 * @throws InvalidOptions for mixed forms
 */
export function parseAuthors(
  options: Static<typeof AuthorForms>,
): ((request: RequestContext) => Ordinal[]) | undefined {
  const entries = entriesOf(options);
  if (entries.length === 0) return undefined;
  const following = entries.filter((entry) => entry === 'following' || entry.startsWith('following:'));
  if (following.length === 0) {
    if (typeof options === 'string') throw new InvalidOptions(`must be ${FORMS}`);
    return (request) => entries.map((id) => request.user(id)).filter((author) => author !== NONE);
  }
  if (entries.length > 1) throw new InvalidOptions(`must be ${FORMS}`);
  const [entry] = entries;
  if (entry === 'following') return (request) => request.following(request.viewer);
  const user_id = entry.slice('following:'.length);
  if (user_id === '') throw new InvalidOptions(`must be ${FORMS}`);
  return (request) => request.following(request.user(user_id));
}

/** What follows from the options alone: a list of ids, but nobody's following list. */
export function authorsDependOn(options: Static<typeof AuthorForms>): 'content' | undefined {
  return entriesOf(options).some((entry) => entry.startsWith('following')) ? undefined : 'content';
}

function entriesOf(options: Static<typeof AuthorForms>): string[] {
  return typeof options === 'string' ? [options] : readEach(options, idText);
}

/** An identifier sent as text or as an integer. @throws InvalidOptions for integers that lost digits */
export function idText(id: string | number): string {
  if (typeof id === 'string') return id;
  if (!Number.isSafeInteger(id))
    throw new InvalidOptions(`${id} has lost digits; send ids beyond 2^53-1 as text`);
  return String(id);
}
