import { defineFilter, InvalidOptions, NONE, type Ordinal, type RequestContext, Type } from 'feedloom/plugin';

const FORMS =
  'one of three forms: a list of author ids, "following" (of the viewer), or "following:<user_id>"; not mixed';

/**
 * Only items of certain authors: a list, whom the viewer follows, or whom one given user follows. An
 * empty list filters nothing; a following list that is empty, or has no viewer, matches nothing.
 * Spec 1.1.1.
 */
export default defineFilter({
  summary: 'Only content from the given authors, or from those that somebody follows.',
  kind: 'inclusion',
  options: Type.Union(
    [Type.String(), Type.Array(Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Integer()]))],
    { description: FORMS, examples: [['12', '34'], 'following', 'following:12'] },
  ),
  compile(options) {
    const authors = parseAuthors(options);
    if (authors === undefined) return () => () => true;
    return (request) => {
      const wanted = new Set(authors(request));
      return (item) => wanted.has(request.author(item));
    };
  },
  postings(options) {
    const authors = parseAuthors(options);
    return authors && ((request) => ({ column: 'author', values: authors(request) }));
  },
});

/** The authors at the time of a request; undefined when the filter filters nothing. */
function parseAuthors(
  options: string | (string | number)[],
): ((request: RequestContext) => Ordinal[]) | undefined {
  const entries = (typeof options === 'string' ? [options] : options).map(idText);
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

function idText(id: string | number): string {
  if (typeof id === 'string') return id;
  if (!Number.isSafeInteger(id))
    throw new InvalidOptions(`${id} has lost digits; send ids beyond 2^53-1 as text`);
  return String(id);
}
