import { type Static, Type } from '@sinclair/typebox';
import { InvalidOptions, readEach } from './invalid-options.ts';
import type { NamedValue, Postings } from './kinds.ts';
import { grouped } from './list-of.ts';
import { NAMED_VALUES_MAX, valuesNamed } from './named-values.ts';
import { NONE, type Ordinal } from './ordinal.ts';
import type { RequestContext, UserList } from './request-context.ts';
import { hasLength } from './text-length.ts';

const ID_LENGTH = { minLength: 1, maxLength: 256 };

/** Larger than other lists because block lists are long. About as many as fit into a saved feed. */
const AUTHORS_MAX = 100_000;

const ID_FORM = `a text of 1 to ${ID_LENGTH.maxLength} characters, or an integer up to 2^53-1`;

const FORMS =
  `one of four forms: a list of at most ${grouped(AUTHORS_MAX)} author ids, each ${ID_FORM}; ` +
  '"following" (of the viewer); "following:<user_id>"; or, as a text, "list:<list_id>"; not mixed';

const FOLLOWING_OF = 'following:';
const LIST_OF = 'list:';

/** Maximum number of users whose posts are looked up as an index. Of more, the cached result of the filter is used. */
const INDEXED_MAX = 1_000;
const NOBODY: UserList = { size: 0, has: () => false, users: () => [] };

/**
 * Options of filters on authors: a list, `following`, `following:<user_id>`, or `list:<list_id>`. Spec 1.1.1.
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
  { description: FORMS, examples: [['12', '34'], 'following', 'following:12', 'list:editors'] },
);

/**
 * Returns a function that finds the authors for a request.
 *
 * Undefined if the options name no authors, so nothing is filtered. If the following list is empty, there is no viewer, or
 * the list is unknown, there are no authors.
 * @throws InvalidOptions if forms are mixed or an id is malformed
 */
export function parseAuthors(
  options: Static<typeof AuthorForms>,
): ((request: RequestContext) => UserList) | undefined {
  if (typeof options === 'string') {
    if (options.startsWith(LIST_OF)) return membersOf(idAfter(LIST_OF, 'list', options));
    if (!namesFollowing(options)) throw new InvalidOptions(`must be ${FORMS}`);
    return followedBy(options);
  }
  if (options.length === 0) return undefined;
  if (!options.some(namesFollowing)) {
    const ids = readEach(options, authorId);
    return (request) => setOf(ids.map((id) => request.user.find(id)).filter((author) => author !== NONE));
  }
  if (options.length > 1) throw new InvalidOptions(`must be ${FORMS}`);
  return readEach(options, (entry) => followedBy(String(entry)))[0];
}

/** The posts of the authors, as postings of a filter. Undefined for very many authors. */
export function postingsOfAuthors(authors: UserList): Postings | undefined {
  return authors.size > INDEXED_MAX ? undefined : { column: 'author', values: authors.users() };
}

/**
 * Returns `viewer` if a following list is needed, else `content`. A change of a list counts as a change of its members'
 * items.
 */
export function authorsDependOn(options: Static<typeof AuthorForms>): 'content' | 'viewer' {
  const entries = typeof options === 'string' ? [options] : options;
  return entries.some(namesFollowing) ? 'viewer' : 'content';
}

/** Returns what the options name: authors, users whose following list is used, or a list. */
export function authorsNamed(options: Static<typeof AuthorForms>): NamedValue[] {
  if (typeof options === 'string' && options.startsWith(LIST_OF))
    return [{ column: 'list_id', given: options, values: [options.slice(LIST_OF.length)] }];
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

function followedBy(entry: string): (request: RequestContext) => UserList {
  if (entry === 'following') return (request) => setOf(request.user.following(request.viewer.user));
  const user_id = idAfter(FOLLOWING_OF, 'user', entry);
  return (request) => setOf(request.user.following(request.user.find(user_id)));
}

function membersOf(list_id: string): (request: RequestContext) => UserList {
  return (request) => request.user.list(list_id) ?? NOBODY;
}

function idAfter(prefix: string, noun: string, entry: string): string {
  const id = entry.slice(prefix.length);
  if (hasLength(id, ID_LENGTH)) return id;
  const length = `${ID_LENGTH.minLength} to ${ID_LENGTH.maxLength} characters`;
  throw new InvalidOptions(`the ${noun} id after "${prefix}" must have ${length}`);
}

function setOf(users: readonly Ordinal[]): UserList {
  const set = new Set(users);
  return { size: set.size, has: (user) => set.has(user), users: () => [...users] };
}
