import { type Static, Type } from '@sinclair/typebox';
import { InvalidOptions, readEach } from './invalid-options.ts';
import type { NamedValue } from './kinds.ts';
import { grouped } from './list-of.ts';
import { NAMED_VALUES_MAX, valuesNamed } from './named-values.ts';
import { NONE, type Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';
import { hasLength } from './text-length.ts';

const ID_LENGTH = { minLength: 1, maxLength: 256 };

/** Larger than other lists because block lists are long. About as many as fit into a saved feed. */
const AUTHORS_MAX = 100_000;

const ID_FORM = `a text of 1 to ${ID_LENGTH.maxLength} characters, or an integer up to 2^53-1`;

const FORMS =
  `one of three forms: a list of at most ${grouped(AUTHORS_MAX)} author ids, each ${ID_FORM}; ` +
  '"following" (of the viewer); or "following:<user_id>"; not mixed';

const FOLLOWING_OF = 'following:';

/**
 * Options of filters on authors: a list, `following`, or `following:<user_id>`. Spec 1.1.1.
 *
 * The schema is loose: an error of a union cannot name the wrong entry. `parseAuthors` checks the entries.
 */
export const AuthorForms = Type.Union(
  [
    Type.String(),
    Type.Array(Type.Union([Type.String(), Type.Number()], { description: ID_FORM }), {
      maxItems: AUTHORS_MAX,
    }),
  ],
  { description: FORMS, examples: [['12', '34'], 'following', 'following:12'] },
);

/**
 * Returns a function that lists the authors for a request.
 *
 * Undefined if the options name no authors, so nothing is filtered. If the following list is empty or there is no
 * viewer, the list is empty.
 * @throws InvalidOptions if forms are mixed or an id is malformed
 */
export function parseAuthors(
  options: Static<typeof AuthorForms>,
): ((request: RequestContext) => Ordinal[]) | undefined {
  if (typeof options === 'string') {
    if (!namesFollowing(options)) throw new InvalidOptions(`must be ${FORMS}`);
    return followedBy(options);
  }
  if (options.length === 0) return undefined;
  if (!options.some(namesFollowing)) {
    const ids = readEach(options, authorId);
    return (request) => ids.map((id) => request.user.find(id)).filter((author) => author !== NONE);
  }
  if (options.length > 1) throw new InvalidOptions(`must be ${FORMS}`);
  return readEach(options, (entry) => followedBy(String(entry)))[0];
}

/** Returns `content` if the options alone determine the authors, and `viewer` if a following list is needed. */
export function authorsDependOn(options: Static<typeof AuthorForms>): 'content' | 'viewer' {
  return typeof options === 'string' || options.some(namesFollowing) ? 'viewer' : 'content';
}

/** Returns the users that the options name: authors, and users whose following list is used. */
export function authorsNamed(options: Static<typeof AuthorForms>): NamedValue[] {
  const entries = typeof options === 'string' ? [options] : options;
  const named = entries.slice(0, NAMED_VALUES_MAX).filter((entry) => entry !== 'following');
  return valuesNamed('author', named, (entry) => [
    namesFollowing(entry) ? String(entry).slice(FOLLOWING_OF.length) : String(entry),
  ]);
}

/** Converts an id to text. @throws InvalidOptions for integers beyond 2^53-1, which have lost digits */
export function idText(id: string | number): string {
  if (typeof id === 'string') return id;
  if (!Number.isSafeInteger(id))
    throw new InvalidOptions(`${id} has lost digits; send ids beyond 2^53-1 as text`);
  return String(id);
}

function authorId(id: string | number): string {
  const sound = typeof id === 'string' ? hasLength(id, ID_LENGTH) : Number.isInteger(id);
  if (!sound) throw new InvalidOptions(`must be an author id: ${ID_FORM}`);
  return idText(id);
}

function namesFollowing(entry: string | number): boolean {
  return entry === 'following' || (typeof entry === 'string' && entry.startsWith(FOLLOWING_OF));
}

function followedBy(entry: string): (request: RequestContext) => Ordinal[] {
  if (entry === 'following') return (request) => request.user.following(request.viewer.user);
  const user_id = entry.slice(FOLLOWING_OF.length);
  if (!hasLength(user_id, ID_LENGTH)) {
    const length = `${ID_LENGTH.minLength} to ${ID_LENGTH.maxLength} characters`;
    throw new InvalidOptions(`the user id after "${FOLLOWING_OF}" must have ${length}`);
  }
  return (request) => request.user.following(request.user.find(user_id));
}
